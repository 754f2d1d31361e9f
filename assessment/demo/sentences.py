"""What sample learners write in words: by field, from thorough to bare.

The words of learners are data, not the interface, so they are not translated.
"""

from typing import Final

# Ways of answering, from the one that shows everything down.
THOROUGH, PARTIAL, BARE = range(3)

BY_FIELD: Final[dict[str, tuple[str, str, str]]] = {
    "data": (
        (
            "Three logits, so V = 3, for one position; target 0 is an index, not a value. "
            "After the change the first logit is larger, the other two stay."
        ),
        "Logits of length 3 and a target.",
        "The logits.",
    ),
    "interpretation": (
        (
            "Raising the target's logit raises its share, so the loss falls. The other two "
            "probabilities shrink by the same factor, as their gap is unchanged."
        ),
        "The probability of the target goes up. The loss goes down.",
        "The result is as given.",
    ),
    "check": (
        (
            "The three probabilities add up to 1 to three decimals, and the loss is positive "
            "because every probability is below 1."
        ),
        "The probabilities add up to 1.",
        "",
    ),
    "limitation": (
        (
            "One position says nothing about the mean over a batch: there padding and the "
            "mask decide the denominator."
        ),
        "It is only one example.",
        "",
    ),
    "mechanism": (
        (
            "The chain rule gives each weight the derivative of the loss on the data it was "
            "computed on."
        ),
        "Backpropagation computes gradients.",
        "Backpropagation trains the network.",
    ),
    "assumption": (
        "That data in service resemble the training data and that the loss measures what we want.",
        "The data are the same.",
        "It works everywhere.",
    ),
    "observation": (
        "A falling training loss; on its own it is silent about unseen data and about latency.",
        "The loss falls.",
        "The system is accurate.",
    ),
    "conclusion": (
        "Only that these weights lower this loss on this sample, under these conditions.",
        "The model has learned the training set.",
        "So it will be accurate, fast and robust.",
    ),
    "grounded": (
        "Gradients come from the chain rule; activations kept for it cost memory.",
        "It uses the chain rule.",
        "Backpropagation is standard.",
    ),
    "extrapolations": (
        (
            "From loss to accuracy elsewhere, and from training to speed in service: nothing "
            "in the lesson supports either."
        ),
        "That it is fast.",
        "",
    ),
    "experiment": (
        (
            "Vary the share of shifted inputs alone, measure the error on a held-out set, "
            "stop when it passes 1.5 times the baseline."
        ),
        "Test it on other data and look at the error.",
        "Train longer.",
    ),
    "rewrite": (
        (
            "Backpropagation lowered the loss on this sample; accuracy and speed elsewhere "
            "remain to be measured."
        ),
        "It may be accurate on similar data.",
        "Backpropagation makes it accurate.",
    ),
    "workload": (
        "One position with three logits; activation memory is what limits, not arithmetic.",
        "A small model that must fit into memory.",
        "Training.",
    ),
    "mechanisms": (
        (
            "A splits the work and keeps bfloat16 tensors, paying in messages and in lost "
            "updates; B computes the same loss directly and keeps everything in 32 bits."
        ),
        "A is parallel, B is not.",
        "A is newer.",
    ),
    "prediction": (
        (
            "A halves activation memory and leaves the loss equal to three decimals; its step"
            " takes longer below two devices."
        ),
        "A needs less memory.",
        "A is better.",
    ),
    "losing_case": (
        "Small updates to a large weight: bfloat16 rounds them away and the loss stops falling.",
        "On a slow network A loses.",
        "",
    ),
    "protocol": (
        (
            "Same seed and data order, baseline first; compare loss at equal steps, peak "
            "memory, and seconds a step over 200 steps."
        ),
        "Run both and compare loss and memory.",
        "Measure the time.",
    ),
    "rollback": (
        "Back to B when the loss is more than 0.02 above the baseline for 100 steps in a row.",
        "When the loss gets worse.",
        "",
    ),
    "verdict": (
        (
            "Choose A when memory is the limit, and only while its loss stays within 0.02 of "
            "the baseline; the two-device case is still open."
        ),
        "A for large models.",
        "A.",
    ),
}

REASONS: Final = {
    "up": "A larger logit means a larger exponential, so everything grows, the loss too.",
    "same": "Only gaps between logits matter, and I take the gap to be kept.",
    "down": "The target's logit moves away from the others, so its probability rises.",
}

NOTES: Final = {
    "none": "The chain, a check and a boundary are all there.",
    "operation": "Look again at the first line that you marked as sure; the lines after it follow.",
    "vocabulary": "Say first what the loss is of; then read your last line again.",
    "shapes": "Count the terms of the denominator before you divide.",
    "claim_scope": "The mechanism is right. What of it reaches beyond the data you saw?",
    "interpretation": "The figures are right. Say what they do to the target.",
    "cannot_tell": "The result stands alone. Please show the line before it.",
}
