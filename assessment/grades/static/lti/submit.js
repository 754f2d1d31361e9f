// Sends the answer on; without this script the button does.
document.getElementById("lti-answer").submit();
