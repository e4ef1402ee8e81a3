import { html, type Html } from '../kit/html.ts';
import type { Language } from '../kit/language.ts';
import { WORDS, type PageFault } from './words.ts';

/** The title of a fault page. */
export const faultTitle = (language: Language, fault: PageFault): string => WORDS[language].faults[fault].title;

/** Renders the body of a fault page: what a payer can do, without details. */
export function renderFault(language: Language, fault: PageFault): Html {
  const { title, hint } = WORDS[language].faults[fault];
  return html`<main class="fault">
    <section>
      <h1>${title}</h1>
      <p>${hint}</p>
    </section>
  </main>`;
}
