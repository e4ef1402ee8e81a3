// Passkeys are made and asked for by script alone: the forms for them are shown where the browser can.
const isAble = typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

for (const form of isAble ? document.querySelectorAll('form[data-passkey]') : []) {
  const options = JSON.parse(form.dataset.passkey);
  const answer = form.elements.namedItem('passkey');
  // A passkey is of one host. On another one the browser would refuse.
  if ((options.rp?.id ?? options.rpId) !== location.hostname) continue;
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    if (answer.value !== '') return;
    event.preventDefault();
    void ask();
  });
  const ask = async () => {
    try {
      const credential =
        options.rp === undefined
          ? await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
          : await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) });
      answer.value = JSON.stringify(credential.toJSON());
      form.requestSubmit();
    } catch {
      // Cancelled, too late, or no passkey of this host. The person may try again.
      form.querySelector('[role=alert]').hidden = false;
    }
  };
}

// A copy of what is shown once. Over http, but on this machine, a browser has no clipboard.
for (const button of navigator.clipboard ? document.querySelectorAll('button[data-copy]') : []) {
  button.hidden = false;
  const copied = button.parentElement.querySelector('[role=status]');
  button.addEventListener('click', () => void navigator.clipboard.writeText(button.dataset.copy).then(() => (copied.hidden = false)));
}
