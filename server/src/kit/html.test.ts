import { expect, test } from 'vitest';
import { html, NO_HTML, trustedHtml } from './html.ts';

test('every text is escaped, in elements and in attributes; Html stays as it is', () => {
  const odd = `<b>"it's" & more</b>`;
  const escaped = '&lt;b&gt;&quot;it&#39;s&quot; &amp; more&lt;/b&gt;';
  expect(html`<p title="${odd}">${odd}${3}</p>`.markup).toBe(`<p title="${escaped}">${escaped}3</p>`);
  expect(
    html`<ul>
      ${[odd, 'x'].map((one) => html`<li>${one}</li>`)}${NO_HTML}
    </ul>`.markup,
  ).toBe(`<ul><li>${escaped}</li><li>x</li></ul>`);
  expect(
    html`<style>
      ${trustedHtml('a > b {}')}
    </style>`.markup,
  ).toBe('<style>a > b {}</style>');
  expect(html` ${'\\'}`.markup).toBe('\n\\');
});
