// The page of one document. Without this file every link still shows its passage; only what is chosen is
// not brought into sight inside its column, and the page is not refreshed while it is read.
const body = document.body;
const panel = () => document.querySelector("#document");

// The address says what is shown, whichever page or passage somebody went on to since it was opened.
body.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.elt === panel()) event.detail.path = location.pathname + location.search;
});

// An area of the page, or a piece of its text, stands for the passage beside it.
document.addEventListener("click", (event) => {
  const pick = event.target.closest?.("[data-pick]");
  if (!pick || getSelection()?.type === "Range") return;
  document.getElementById(pick.dataset.pick)?.querySelector("[data-passage]")?.click();
});
function point(event) {
  const pick = event.target.closest?.("[data-pick], .passage");
  const id = pick?.dataset.pick ?? pick?.id;
  for (const each of document.querySelectorAll(".is-pointed")) each.classList.remove("is-pointed");
  if (!id) return;
  document.getElementById(id)?.classList.add("is-pointed");
  for (const each of document.querySelectorAll(`[data-pick="${id}"]`)) each.classList.add("is-pointed");
}
document.addEventListener("pointerover", point);

// Where a page cannot be drawn, the server says why.
async function explain(image) {
  const trouble = image.closest(".leaf").querySelector("[data-page-trouble]");
  let sentence = "This page cannot be shown. Save the file to look at it.";
  try {
    const answer = await fetch(image.src);
    if (answer.headers.get("content-type")?.startsWith("text/plain")) sentence = await answer.text();
  } catch { /* the server does not answer, which the page says itself */ }
  trouble.textContent = sentence;
  trouble.hidden = false;
  image.closest(".paper").hidden = true;
}
document.addEventListener("error", (event) => {
  if (event.target.matches?.("[data-page-image]")) explain(event.target);
}, true);

// What is chosen comes into sight in its own column, and the page itself stays where it is.
const isDesk = matchMedia("(min-width: 1000px)");
function bringIntoSight() {
  const chosen = document.querySelector(".source .is-chosen");
  if (!chosen) return;
  const column = chosen.closest(".leaf");
  const place = chosen.getBoundingClientRect();
  const frame = column.getBoundingClientRect();
  if (!isDesk.matches) return chosen.scrollIntoView({ block: "center" });
  if (place.top >= frame.top && place.bottom <= frame.bottom) return;
  column.scrollTop += place.top - frame.top - Math.max(0, (frame.height - place.height) / 3);
}
let shown = "";
function settle() {
  for (const image of document.querySelectorAll("[data-page-image]")) {
    if (image.complete && !image.naturalWidth) explain(image);
  }
  // A refresh moves nothing.
  if (shown === location.search) return;
  shown = location.search;
  const image = document.querySelector("[data-page-image]");
  if (image && !image.complete) image.addEventListener("load", bringIntoSight, { once: true });
  else bringIntoSight();
}
body.addEventListener("htmx:afterSettle", settle);
body.addEventListener("htmx:pushedIntoHistory", settle);
settle();
