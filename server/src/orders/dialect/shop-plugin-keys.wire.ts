import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import { operation } from '../../requests/index.ts';
import { okAnswer, orderEnvelope, withExample, type AnswerSettings } from '../answers.wire.ts';

type Deps = { readonly settings: AnswerSettings };

const host = (description: string) => Type.String(withExample(description, 'pay.example'));

/** A shop plugin asks for it before it shows an order. Nobody has to be proved: the answer says where this service is, and no secret. */
export const shopPluginKeysOperation = operation({
  name: 'shopPluginKeys',
  route: 'POST /api/v3/wpkeys',
  tag: 'Orders',
  summary: 'Where the environments of a shop plugin are',
  description: 'The body is not judged. The token is new in each answer and opens nothing.',
  section: '§3.2',
  envelope: orderEnvelope,
  from: 'none',
  fields: {},
  caller: 'anyone',
  proof: [],
  refusals: {},
  run: (_, { settings }: Deps) => ({ host: settings.checkoutHost() }),
  answer: ({ host: own }) => okAnswer({ Token: randomBytes(24).toString('base64url'), AmbProd: own, AmbSand: own, AmbDev: own }),
  data: () =>
    Type.Object({
      Token: Type.String(withExample('Opens nothing.', 'mVJ1sJ5S4w0tq4sQ8uQ4m0lq')),
      AmbProd: host('The host of the production environment: this service.'),
      AmbSand: host('The host of the sandbox: this service.'),
      AmbDev: host('The host for development: this service.'),
    }),
});
