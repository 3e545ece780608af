// Delegated listeners keyed on data-*, so that swapped-in fragments work. Without this file every
// form and link still does its work; only live refresh and keys are lost.
import { install } from "./vendor/hotkey.js";

const body = document.body;
const BEAT_MS = 5_000;
const IDLE_MS = 60_000;
const LONGEST_WAIT_MS = 300_000;

const remembered = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
const remember = (name, value) => { try { localStorage.setItem(name, value); } catch { /* blocked */ } };

// Live refresh: every 5 s for a minute after activity, else once a minute; never in a hidden tab.
let beatsLeft = 12;
let lastRefresh = Date.now();
let failures = 0;
let quietUntil = 0;
let hasFailed = false;

// Nothing moves under the pointer, in a selection, or round what somebody is at.
const canHover = matchMedia("(hover: hover)");
const isPointedAt = () => document.querySelector(canHover.matches ? "[data-steady]:hover" : "[data-steady]:active");
const isSelecting = () => getSelection()?.type === "Range";
const isBusy = () => isPointedAt() || isSelecting() || document.querySelector(
  "[data-live=off], dialog[open], details.menu[open], .is-editing:focus-within, [data-held]:not(:placeholder-shown), .is-dropping, .row-select:checked",
);
// A finger points at nothing before it taps: rows in sight stay where they are, and what is new is offered.
let mayMove = false;
const isInSight = (list) => list.getBoundingClientRect().bottom > 0 && list.getBoundingClientRect().top < innerHeight;
function newRows(list, fresh) {
  const known = new Set([...list.children].map((row) => row.id));
  return [...fresh.children].filter((row) => row.id && !known.has(row.id)).length;
}
function offer(list, number) {
  const button = document.createElement("button");
  Object.assign(button, { type: "button", className: "btn btn-sm push", textContent: `Show ${number} new` });
  button.dataset.showNew = "";
  list.closest("section").querySelector(".panel-h").append(button);
}
window.Idiomorph.defaults.callbacks.beforeNodeMorphed = (old, fresh) => {
  if (canHover.matches || mayMove || !old.matches?.("[data-steady]") || !isInSight(old)) return true;
  const number = newRows(old, fresh);
  if (number) offer(old, number);
  return number === 0;
};
// What somebody has opened stays open while its rows change.
window.Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, node) => !(name === "open" && node.matches("[data-fold]"));

const refresh = () => {
  lastRefresh = Date.now();
  hasFailed = false;
  body.dispatchEvent(new CustomEvent("refresh"));
};
for (const name of ["pointermove", "keydown", "visibilitychange"]) {
  document.addEventListener(name, () => { beatsLeft = 12; }, { passive: true });
}
setInterval(() => {
  if (document.hidden || isBusy() || Date.now() < quietUntil) return;
  if (beatsLeft > 0) beatsLeft -= 1;
  else if (Date.now() - lastRefresh < IDLE_MS) return;
  refresh();
}, BEAT_MS);

// Who is back after an outage does not wait for the end of a pause that grew meanwhile.
function comeBack() {
  failures = quietUntil = 0;
  if (!document.hidden && !isBusy()) refresh();
}
addEventListener("online", comeBack);
document.addEventListener("visibilitychange", () => { if (!document.hidden && failures > 0) comeBack(); });

function showLive() {
  const off = remembered("longhand-live") === "off";
  for (const button of document.querySelectorAll("[data-live-toggle]")) {
    button.hidden = false;
    button.dataset.live = off ? "off" : "on";
    button.setAttribute("aria-pressed", String(!off));
  }
}

function toggleLive() {
  const on = remembered("longhand-live") === "off";
  remember("longhand-live", on ? "on" : "off");
  showLive();
  if (on) refresh();
}

// One spoken sentence when a panel changed, not the numbers themselves.
const before = new WeakMap();
body.addEventListener("htmx:beforeSwap", (event) => before.set(event.detail.target, event.detail.target.textContent));
body.addEventListener("htmx:afterSettle", (event) => {
  const panel = event.detail.target;
  if (!panel.dataset?.says || before.get(panel) === panel.textContent) return;
  document.querySelector("[data-spoken]").textContent = panel.dataset.says;
});

// Trouble: say it once, wait longer each time, and go to the sign-in page once.
let leaving = false;
function trouble(sentence) {
  // Several panels of one page fail together; that is one failure.
  if (hasFailed) return;
  hasFailed = true;
  failures += 1;
  const wait = Math.min(BEAT_MS * 2 ** failures, LONGEST_WAIT_MS);
  // Half a beat less: the beat that is meant is that long after the question, and the answer took a while.
  quietUntil = Date.now() + wait - BEAT_MS / 2;
  showTrouble(`${sentence} Next try in ${Math.round(wait / 1000)} s.`);
}
function showTrouble(sentence) {
  const notice = document.querySelector("#trouble");
  if (!notice) return;
  notice.querySelector("[data-sentence]").textContent = sentence;
  notice.hidden = false;
}
function hideTrouble() {
  const notice = document.querySelector("#trouble");
  if (notice) notice.hidden = true;
  unsent = null;
}
body.addEventListener("htmx:sendError", () => trouble("Longhand does not answer. What you see may be old."));
body.addEventListener("htmx:responseError", (event) => {
  const status = event.detail.xhr.status;
  if (status !== 401) return trouble(`Longhand answered with an error (${status}).`);
  if (leaving) return;
  leaving = true;
  const here = encodeURIComponent(location.pathname + location.search);
  location.assign(`${body.dataset.signIn}?next=${here}`);
});
body.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.xhr.status >= 400 || hasFailed) return;
  failures = 0;
  quietUntil = 0;
  hideTrouble();
});

// What is typed outlives an outage: its form leaves once Longhand answers, and stays as it is until then.
const LIVE_PATH = "/api/v1/health/live";
const ANSWER_MS = 4_000;
const SENDING_MS = 10_000;
let [underWay, mayLeave, unsent] = [null, null, null];
async function answers() {
  try {
    const answer = await fetch(LIVE_PATH, { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MS) });
    // A proxy speaks for what is down behind it.
    return ![502, 503, 504].includes(answer.status);
  } catch { return false; }
}
async function send(form, submitter) {
  underWay = form;
  const isReached = await answers();
  underWay = null;
  if (!isReached) return keep(form, submitter);
  hideTrouble();
  mayLeave = form;
  form.requestSubmit(submitter);
  mayLeave = null;
}
function keep(form, submitter) {
  showTrouble("Longhand does not answer. What you typed is still here; try again soon.");
  document.querySelector("#trouble")?.scrollIntoView({ block: "nearest" });
  unsent = () => form.requestSubmit(submitter);
}
// A second tap sends nothing; after a while the first one is given up, as when somebody stopped it.
function keepUnderWay(form) {
  underWay = form;
  setTimeout(() => { underWay = null; }, SENDING_MS);
}
document.addEventListener("submit", (event) => {
  const form = event.target;
  // What htmx or another script sends is theirs.
  if (event.defaultPrevented || !form.matches("form[method=post]:has(textarea)")) return;
  if (form === mayLeave) return keepUnderWay(form);
  event.preventDefault();
  if (form !== underWay) send(form, event.submitter);
});
addEventListener("pageshow", (event) => { if (event.persisted) underWay = null; });

// Addresses stay short: what is empty is no filter.
body.addEventListener("htmx:configRequest", (event) => {
  if (event.detail.verb !== "get") return;
  const given = event.detail.parameters;
  for (const name of Object.keys(given)) if (given[name] === "") delete given[name];
});

// Theme: system, light, dark, in turn.
const THEMES = ["system", "light", "dark"];
function showTheme() {
  const choice = document.documentElement.dataset.themeChoice;
  const word = choice === "system" ? "follows the system" : choice;
  for (const button of document.querySelectorAll("[data-theme-next]")) button.setAttribute("aria-label", `Theme: ${word}`);
}
function nextTheme() {
  const index = THEMES.indexOf(document.documentElement.dataset.themeChoice);
  window.longhandTheme(THEMES[(index + 1) % THEMES.length]);
  showTheme();
}

// Keys: every element names its own; the help lists them.
const keyed = new WeakSet();
function installKeys() {
  for (const element of document.querySelectorAll("[data-hotkey]")) {
    if (keyed.has(element)) continue;
    keyed.add(element);
    install(element, element.dataset.hotkey);
  }
}
// Keys rest while somebody types, but for the one that saves what is typed.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.target.form?.querySelector("[data-hotkey='Control+Enter']")?.click();
});
function listKeys() {
  const list = document.querySelector("[data-keys]");
  if (!list) return;
  list.replaceChildren();
  const seen = new Set();
  for (const element of document.querySelectorAll("[data-hotkey][data-hotkey-label]")) {
    const key = element.dataset.hotkey;
    if (seen.has(key)) continue;
    seen.add(key);
    const term = document.createElement("dt");
    for (const part of key.split(" ")) {
      const cap = document.createElement("kbd");
      cap.textContent = part;
      term.append(cap, " ");
    }
    const meaning = document.createElement("dd");
    meaning.textContent = element.dataset.hotkeyLabel;
    list.append(term, meaning);
  }
}

// The tour: one step at a time; the arrows of the keyboard go too.
function goInTour(by) {
  const steps = [...document.querySelectorAll("#tour [data-step]")];
  const now = steps.findIndex((step) => !step.hidden);
  const next = Math.min(Math.max(now + by, 0), steps.length - 1);
  if (by > 0 && next === now) return document.querySelector("#tour").close();
  steps.forEach((step, place) => { step.hidden = place !== next; });
  document.querySelector("[data-tour-place]").textContent = `${next + 1} of ${steps.length}`;
  document.querySelector("[data-tour-go='-1']").disabled = next === 0;
  document.querySelector("[data-tour-go='1']").textContent = next === steps.length - 1 ? "Done" : "Next";
}

function openDialog(name) {
  const dialog = document.getElementById(name);
  if (!dialog) return;
  if (name === "shortcuts") listKeys();
  if (name === "tour") goInTour(-Infinity);
  dialog.showModal();
}

// Copying what is shown once: without TLS there is only the old way, and where that fails it is selected.
async function copy(button) {
  const shown = document.getElementById(button.dataset.copy);
  const word = button.querySelector("span");
  try {
    await navigator.clipboard.writeText(shown.textContent);
    word.textContent = "Copied";
  } catch {
    window.getSelection().selectAllChildren(shown);
    word.textContent = document.execCommand("copy") ? "Copied" : "Selected";
  }
}

// Selected rows: shift goes on from the last one, the bar counts, and Esc lets go of all.
let lastChosen = null;
const rows = () => [...document.querySelectorAll(".row-select")];
function showSelection() {
  const all = rows();
  const chosen = all.filter((box) => box.checked).length;
  for (const count of document.querySelectorAll("[data-count]")) count.textContent = chosen;
  const head = document.querySelector("[data-select-all]");
  if (head) {
    head.checked = chosen > 0 && chosen === all.length;
    head.indeterminate = chosen > 0 && chosen < all.length;
  }
  const everything = document.querySelector("#bulk-everything");
  if (everything && chosen < all.length) everything.checked = false;
}
function choose(boxes, checked) {
  for (const box of boxes) box.checked = checked;
  showSelection();
}
function chooseRow(box, withShift) {
  const all = rows();
  const [from, to] = [all.indexOf(lastChosen), all.indexOf(box)].sort((a, b) => a - b);
  lastChosen = box;
  choose(withShift && from >= 0 ? all.slice(from, to + 1) : [box], box.checked);
}
function chooseEverything() {
  choose(rows(), true);
  document.querySelector("#bulk-everything").checked = true;
}

// A change made in a list comes back to where the list was left.
const LEFT_AT = "longhand-left-at";
const MADE_IN_LIST = "[data-bulk], [data-with-selection], #row-form, #flash form";
document.addEventListener("submit", (event) => {
  if (!event.target.matches(MADE_IN_LIST) || !document.querySelector(".row-select")) return;
  try { sessionStorage.setItem(LEFT_AT, JSON.stringify([location.pathname, scrollY])); } catch { /* blocked */ }
});
function goWhereLeft() {
  try {
    const [path, top] = JSON.parse(sessionStorage.getItem(LEFT_AT)) ?? [];
    sessionStorage.removeItem(LEFT_AT);
    if (path === location.pathname) scrollTo(0, top);
  } catch { /* blocked */ }
}
goWhereLeft();

// The dialogs of the bar are forms of their own, so that Enter in one does what its title says.
document.addEventListener("formdata", (event) => {
  if (!event.target.matches("[data-with-selection]")) return;
  for (const [name, value] of new FormData(document.querySelector("#bulk"))) {
    if (name !== "csrfmiddlewaretoken") event.formData.append(name, value);
  }
});
document.addEventListener("click", (event) => {
  if (event.target.matches(".row-select")) chooseRow(event.target, event.shiftKey);
  if (event.target.matches("[data-select-all]")) choose(rows(), event.target.checked);
  if (event.target.closest("[data-everything]")) chooseEverything();
  if (event.target.closest("[data-clear]")) choose(rows(), false);
  const go = event.target.closest("[data-tour-go]");
  if (go) goInTour(Number(go.dataset.tourGo));
  if (event.target.closest("[data-close]")) event.target.closest("dialog").close();
});
document.addEventListener("keydown", (event) => {
  if (document.querySelector("#tour[open]") && event.key === "ArrowRight") goInTour(1);
  if (document.querySelector("#tour[open]") && event.key === "ArrowLeft") goInTour(-1);
  if (event.key === "Escape" && !document.querySelector("dialog[open], details.menu[open]")) choose(rows(), false);
});

document.addEventListener("click", (event) => {
  const hit = (selector) => event.target.closest(selector);
  if (hit("[data-live-toggle]")) toggleLive();
  if (hit("[data-theme-next]")) nextTheme();
  if (hit("[data-refresh]")) { quietUntil = 0; (unsent ?? refresh)(); }
  if (hit("[data-show-new]")) { mayMove = true; refresh(); }
  const opener = hit("[data-dialog]");
  if (opener) openDialog(opener.dataset.dialog);
  if (event.target.matches("dialog")) event.target.close();
  const copier = hit("[data-copy]");
  if (copier) copy(copier);
  if (hit("[data-print]")) window.print();
  const toggle = hit("[data-toggle]");
  if (toggle) {
    const open = document.getElementById(toggle.dataset.toggle).classList.toggle("is-open");
    toggle.setAttribute("aria-expanded", String(open));
  }
  for (const menu of document.querySelectorAll("details.menu[open]")) if (!menu.contains(event.target)) menu.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// What opens below the screen comes into it.
document.addEventListener("toggle", (event) => {
  if (event.target.matches("details.menu[open]")) event.target.querySelector(".menu-body").scrollIntoView({ block: "nearest" });
  if (event.target.matches("[data-reveal][open]")) event.target.scrollIntoView({ block: "start" });
}, true);

// Heartbeats: one stop for Tab, the arrows go from run to run.
const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
document.addEventListener("keydown", (event) => {
  const bar = event.target.closest?.("[data-beats]");
  if (!bar || !(event.key in STEPS)) return;
  event.preventDefault();
  const ticks = [...bar.querySelectorAll("a")];
  const place = ticks.indexOf(event.target.closest("a")) + STEPS[event.key];
  const next = ticks[Math.min(Math.max(place, 0), ticks.length - 1)];
  for (const tick of ticks) tick.setAttribute("tabindex", tick === next ? "0" : "-1");
  next.focus();
});

// A filter takes effect as soon as it is chosen, and what is empty is no part of the address.
document.addEventListener("change", (event) => {
  if (event.target.form?.matches("form[data-filter]")) event.target.form.requestSubmit();
});
document.addEventListener("formdata", (event) => {
  if (!event.target.matches("form[data-filter]")) return;
  for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
});

// The chosen one of a row that goes on beyond the edge is in its middle; where a hand left the row, it stays.
const chosenOf = new WeakMap();
function showChosen() {
  for (const row of document.querySelectorAll(".facets")) {
    const chosen = row.querySelector("[aria-current]");
    const place = [...row.children].indexOf(chosen);
    if (!chosen || chosenOf.get(row) === place) continue;
    chosenOf.set(row, place);
    const [outer, inner] = [row.getBoundingClientRect(), chosen.getBoundingClientRect()];
    row.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }
}

// The keyboard of a phone leaves when an answer comes: it would cover it.
body.addEventListener("htmx:afterSettle", (event) => {
  if (event.detail.target.id !== "answers" || !matchMedia("(pointer: coarse)").matches) return;
  if (document.activeElement?.matches("input, textarea")) document.activeElement.blur();
});

function settle() {
  mayMove = false;
  showChosen();
  showSelection();
  showLive();
  showTheme();
  installKeys();
}
body.addEventListener("htmx:afterSettle", settle);
settle();
