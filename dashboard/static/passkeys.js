// Passkeys: the browser makes and shows them, the server checks what it answers. The form's button
// asks for options, hands them to the browser, and sends the answer with the form.
const NO_ANSWER = "No passkey was used. Try again, or take another way.";

async function credentialFor(form) {
  const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
  const answer = await fetch(form.dataset.passkey, { method: "POST", headers: { "X-CSRFToken": token } });
  if (!answer.ok || answer.redirected) throw new Error("no options");
  const options = await answer.json();
  const ask = "passkeyNew" in form.dataset ? window.webauthnJSON.create : window.webauthnJSON.get;
  return ask(options);
}

for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const trouble = form.querySelector("[data-passkey-trouble]");
    trouble.hidden = true;
    try {
      form.elements.credential.value = JSON.stringify(await credentialFor(form));
      form.submit();
    } catch {
      // Whoever closes the browser's own window ends up here, too.
      trouble.textContent = NO_ANSWER;
      trouble.hidden = false;
    }
  });
}
