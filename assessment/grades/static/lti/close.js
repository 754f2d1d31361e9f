// Tells the LMS that framed or opened this page that the registration is done.
(window.opener || window.parent).postMessage({ subject: "org.imsglobal.lti.close" }, "*");
