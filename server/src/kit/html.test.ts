import { expect, test } from 'vitest';
import { html, NO_HTML, trustedHtml } from './html.ts';

test('every text is escaped, in elements and in attributes; Html stays as it is', () => {
  const odd = `<b>"it's" & more</b>\n  x`;
  const escaped = '&lt;b&gt;&quot;it&#39;s&quot; &amp; more&lt;/b&gt;\n  x';
  expect(html`<p title="${odd}">${odd}${3}</p>`.markup).toBe(`<p title="${escaped}">${escaped}3</p>`);
  expect(html`<p>${[odd, 'x'].map((one) => html`<i>${one}</i>`)}${NO_HTML}</p>`.markup).toBe(`<p><i>${escaped}</i><i>x</i></p>`);
  expect(html`<p>${trustedHtml('a > b\n  c')}</p>`.markup).toBe('<p>a > b\n  c</p>');
});

test('the indentation of a template is not sent', () => {
  const list = html`<ul>
    <li>1</li>
  </ul>`;
  expect(list.markup).toBe('<ul>\n<li>1</li>\n</ul>');
});
