"""Finds what still waits for a check, whatever became of the message that should have told so."""

from itertools import groupby

from assessment.attempts.checking import BATCH, claimable
from assessment.attempts.sending import wake


def sweep() -> int:
    """Send again whatever waits and no worker holds; return how many submissions were dispatched.

    One message takes a batch along, so one for each batch is enough; what was tried before is
    checked alone and gets a message of its own.
    """
    waiting = claimable().values_list("version", "tries", "pk").order_by("version", "submitted_at")
    dispatched = 0
    for _version, rows in groupby(waiting.iterator(chunk_size=2000), key=lambda row: row[0]):
        untried = 0
        for _same, tries, submission_id in rows:
            starts_batch = tries > 0 or untried % BATCH == 0
            untried += tries == 0
            if starts_batch and not wake(submission_id):
                return dispatched
            dispatched += 1
    return dispatched
