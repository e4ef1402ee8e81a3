import { Contradiction } from '../cell.ts';
import { CONSOLE } from '../draw-actor.ts';
import { askActor, readAct } from './ask-actor.ts';
import type { Look } from './office-act.ts';
import type { Random } from '../random.ts';
import type { Simulation } from '../simulation.ts';

/** Makes what reads of the management API, from any server, as the token that may do everything. */
export const looking =
  (simulation: Simulation, random: Random): Look =>
  async (path, recordedAs) => {
    const act = recordedAs === undefined ? undefined : readAct(recordedAs);
    const read = async (more: string) => {
      const answer = await askActor(simulation, random, { by: CONSOLE.name, method: 'GET', path: path + more, act });
      if (answer.code !== '0000') throw new Contradiction(`${path} shows ${answer.code}: ${answer.text}`);
      return answer.body;
    };
    let page = await read('');
    if (!('next' in page)) return page;
    const items = [...(page['items'] as readonly unknown[])];
    while (page['next'] !== null) {
      page = await read(`${path.includes('?') ? '&' : '?'}cursor=${page['next'] as string}`);
      items.push(...(page['items'] as readonly unknown[]));
    }
    return { items };
  };
