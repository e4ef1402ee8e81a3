import { cashoutOperations } from '../src/cashouts/index.ts';
import { orderOperations } from '../src/orders/index.ts';
import { sandboxOperations } from '../src/sandbox/index.ts';
import { renderReference } from './reference.ts';

/** Makes every generated file. Shape: path from the root → text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const pages = renderReference([...orderOperations, ...cashoutOperations, ...sandboxOperations]);
  return new Map([...pages].map(([name, text]) => [`docs/reference/${name}`, text]));
}
