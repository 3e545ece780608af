// Files and folders that are dropped, chosen or pasted fill the page's upload form and send it. Without
// this file the form still sends the files that are chosen in it.

// One request may be about as large as one file and hold a hundred, so many files go in several.
const MOST_FILES = 100;
const body = document.body;
const uploadForm = () => document.querySelector("form[data-upload]");
const flash = () => document.querySelector("#flash");
let unsent = [];
let pathsOnTheirWay = [];
let isSending = false;
let said = [];

function tell(sentence, level) {
  const note = document.createElement("div");
  note.className = `note n-${level}`;
  note.setAttribute("role", level === "error" ? "alert" : "status");
  note.textContent = sentence;
  flash().append(note);
}
function beginBatch(form) {
  flash().replaceChildren();
  form.elements.batch.value = `${Date.now()}-${Math.random()}`;
}

// Each is a file with its path below the folder that was given, or with its name alone.
function giveFiles(form, found) {
  const most = Number(form.dataset.upload);
  const inMegabytes = (bytes) => (bytes / 1e6).toFixed(1).replace(".0", "");
  let room = -1;
  if (!isSending) beginBatch(form);
  const given = found.filter(({ path }) => !isHidden(path));
  tellOfHidden(found.length - given.length);
  for (const { file, path } of given) {
    if (file.size > most) {
      const sizes = `The file has ${inMegabytes(file.size)} MB; the limit is ${inMegabytes(most)} MB.`;
      tell(`${path}: ${sizes} Raise LONGHAND_MAX_UPLOAD_MB or split it.`, "error");
      continue;
    }
    if (file.size > room || unsent.at(-1).paths.length === MOST_FILES) {
      unsent.push({ transfer: new DataTransfer(), paths: [] });
      room = most;
    }
    unsent.at(-1).transfer.items.add(file);
    unsent.at(-1).paths.push(path);
    room -= file.size;
  }
  if (!isSending) sendFiles(form);
}
function sendFiles(form) {
  const next = unsent.shift();
  isSending = Boolean(next);
  pathsOnTheirWay = next?.paths ?? [];
  if (!next) return form.reset();
  form.querySelector("input[name=files]").files = next.transfer.files;
  form.requestSubmit();
}
// What tells a/README.md from b/README.md; a form's files have a name alone.
document.addEventListener("formdata", (event) => {
  if (!event.target.matches("form[data-upload]")) return;
  for (const path of pathsOnTheirWay) event.formData.append("paths", path);
});

// Inside a folder, what begins with a dot is for programs, as .git is. One that is named by itself is meant.
const isHidden = (path) => path.includes("/") && path.split("/").some((part) => part.startsWith("."));
function tellOfHidden(number) {
  if (number) tell(number === 1 ? "1 hidden file was left out." : `${number} hidden files were left out.`, "info");
}

// What was said of the files before these stays in sight.
const isAboutFiles = (event) => isSending && event.detail.target.id === "flash";
body.addEventListener("htmx:oobBeforeSwap", (event) => { if (isAboutFiles(event)) said = [...flash().children]; });
body.addEventListener("htmx:oobAfterSwap", (event) => { if (isAboutFiles(event)) flash().prepend(...said); });

// Dropping: a folder gives all files below it.
const asFile = (entry) => new Promise((given, failed) => { entry.file(given, failed); });
const asEntries = (reader) => new Promise((given, failed) => { reader.readEntries(given, failed); });
async function filesBelow(entry) {
  const path = entry.fullPath.slice(1);
  if (entry.isFile) return [{ file: await asFile(entry), path }];
  if (isHidden(`${path}/`)) return [];
  const reader = entry.createReader();
  const found = [];
  // A browser gives the files of a folder a hundred at a time, and none at the end.
  for (let some = await asEntries(reader); some.length; some = await asEntries(reader)) {
    for (const each of some) found.push(...await filesBelow(each));
  }
  return found;
}
async function giveEntries(form, entries, files) {
  if (!entries.some((entry) => entry?.isDirectory)) {
    return giveFiles(form, files.map((file) => ({ file, path: file.name })));
  }
  const found = [];
  for (const entry of entries) if (entry) found.push(...await filesBelow(entry));
  if (found.length) return giveFiles(form, found);
  tell("There is no file in this folder.", "error");
}

const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
document.addEventListener("dragover", (event) => {
  if (!carriesFiles(event) || !uploadForm()) return;
  event.preventDefault();
  uploadForm().classList.add("is-dropping");
});
document.addEventListener("dragleave", (event) => {
  if (event.relatedTarget === null) uploadForm()?.classList.remove("is-dropping");
});
document.addEventListener("drop", (event) => {
  const form = uploadForm();
  if (!carriesFiles(event) || !form) return;
  event.preventDefault();
  form.classList.remove("is-dropping");
  // Both have to be asked for now: once this listener is done, what was dropped is gone.
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.());
  giveEntries(form, entries, [...event.dataTransfer.files]).catch((error) => {
    tell(`The folder cannot be read: ${error.message}`, "error");
  });
});
const asGiven = (files) => [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
document.addEventListener("change", (event) => {
  if (event.target.matches("form[data-upload] input[type=file]") && event.target.files.length) {
    giveFiles(event.target.form, asGiven(event.target.files));
  }
});
document.addEventListener("click", (event) => {
  const form = event.target.closest("[data-choose-folder]")?.form;
  if (!form) return;
  const folder = Object.assign(document.createElement("input"), { type: "file", webkitdirectory: true });
  folder.addEventListener("change", () => giveFiles(form, asGiven(folder.files)));
  folder.click();
});

// Pasting: a picture or a text becomes a file that is named after this moment.
function momentName(ending) {
  const now = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString();
  return `Pasted ${now.slice(0, 10)} ${now.slice(11, 19).replaceAll(":", ".")}.${ending}`;
}
const asPasted = (file) => {
  // Browsers call every picture of the clipboard image.png.
  if (!/^image\.\w+$/.test(file.name)) return file;
  return new File([file], momentName(file.name.split(".").pop()), { type: file.type });
};
document.addEventListener("paste", (event) => {
  const form = uploadForm();
  if (!form || event.target.closest?.("input, textarea, select, [contenteditable]")) return;
  const files = [...event.clipboardData.files].map(asPasted);
  const text = event.clipboardData.getData("text/plain");
  if (!files.length && text.trim()) files.push(new File([text], momentName("txt"), { type: "text/plain" }));
  if (!files.length) return;
  event.preventDefault();
  giveFiles(form, files.map((file) => ({ file, path: file.name })));
});

function showUpload(form, done, total) {
  const bar = form.querySelector("[data-upload-progress]");
  bar.hidden = total === null;
  if (total === null) return;
  bar.querySelector("progress").max = total;
  bar.querySelector("progress").value = done;
  const percent = total ? Math.round((done / total) * 100) : 0;
  bar.querySelector("[data-upload-word]").textContent = percent < 100 ? `Sending, ${percent} %` : "Checking";
}
body.addEventListener("htmx:xhr:progress", (event) => {
  if (event.target.matches("form[data-upload]") && event.detail.lengthComputable) {
    showUpload(event.target, event.detail.loaded, event.detail.total);
  }
});
body.addEventListener("htmx:afterRequest", (event) => {
  if (!event.target.matches("form[data-upload]")) return;
  showUpload(event.target, 0, null);
  sendFiles(event.target);
});
