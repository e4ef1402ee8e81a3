import { html, type Html } from '../kit/html.ts';
import type { Language } from '../kit/language.ts';
import { CHECKOUT_WORDS, type CheckoutFault } from './words.ts';

/** The title of a fault page. */
export const faultTitle = (language: Language, fault: CheckoutFault): string => CHECKOUT_WORDS[language].faults[fault].title;

/** Renders the body of a fault page: what a payer can do, without details. */
export function renderFaultPage(language: Language, fault: CheckoutFault): Html {
  const { title, hint } = CHECKOUT_WORDS[language].faults[fault];
  return html`<main class="fault">
    <section>
      <h1>${title}</h1>
      <p>${hint}</p>
    </section>
  </main>`;
}
