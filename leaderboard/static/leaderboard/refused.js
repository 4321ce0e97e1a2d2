/* Says why an answer has changed nothing: after an error htmx leaves the page as it is. */
const reasonOf = (xhr) => {
  if (!xhr.status) return ["The server does not answer", "What you see is what it said last. Try again in a moment."];
  const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const said = [...page.querySelectorAll("h1, h1 ~ p:not(.actions)")].map((one) => one.textContent.trim());
  return said.length ? said : [`The server answered with the status ${xhr.status}`];
};

/* A page that looks for news by itself does so without an event. */
const isAsked = (event) => Boolean(event.detail.requestConfig.triggeringEvent);

const tell = (event) => {
  const [title, ...rest] = reasonOf(event.detail.xhr);
  const notice = document.getElementById("refused") ?? document.createElement("div");
  const text = `${title}. ${rest.join(" ")}`;
  notice.dataset.asked = isAsked(event);
  if (notice.textContent === text) return;
  Object.assign(notice, { id: "refused", className: "notice", role: "alert", textContent: text });
  notice.dataset.tone = "bad";
  document.querySelector("h1").after(notice);
};

document.addEventListener("htmx:responseError", tell);
document.addEventListener("htmx:sendError", tell);
/* What somebody asked for and was refused stays until they ask again. */
document.addEventListener("htmx:afterRequest", (event) => {
  const notice = document.getElementById("refused");
  if (event.detail.successful && notice && (isAsked(event) || notice.dataset.asked === "false")) notice.remove();
});
