import type { Settings } from '../settings.ts';

// The variables of OpenTelemetry, by their standard names. The exporter itself reads others, such as those of its time-out and certificates.

/** Where spans go, and how many are made. */
export type TraceSettings = {
  readonly url: string;
  /** They may hold a secret. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** The share of requests and notices that is recorded. */
  readonly ratio: number;
  /** Whether a caller that traces decides for its own requests. */
  readonly followsCaller: boolean;
};

/** Each sampler with its share: undefined where OTEL_TRACES_SAMPLER_ARG says it. */
const SAMPLERS: Readonly<Record<string, Pick<TraceSettings, 'followsCaller'> & { readonly ratio: number | undefined }>> = {
  always_on: { ratio: 1, followsCaller: false },
  always_off: { ratio: 0, followsCaller: false },
  traceidratio: { ratio: undefined, followsCaller: false },
  parentbased_always_on: { ratio: 1, followsCaller: true },
  parentbased_always_off: { ratio: 0, followsCaller: true },
  parentbased_traceidratio: { ratio: undefined, followsCaller: true },
};

const USUAL_RATIO = 0.01;

/** Without an endpoint there are no traces, whatever else is set: other programs of a machine use these variables too. */
export function takeTraces({ given, take, oneOf }: Settings): TraceSettings | undefined {
  const endpoint = given('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (endpoint === undefined) return undefined;
  const url = take(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '',
    'an http or https URL without a password, such as http://127.0.0.1:4318',
    parseEndpoint,
  );
  oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', 'http/json', ['http/json'] as const);
  const headers = take('OTEL_EXPORTER_OTLP_HEADERS', {}, 'name=value, several with commas, values percent-encoded', parseHeaders);
  const serviceName = given('OTEL_SERVICE_NAME') ?? 'caudal';
  const { ratio, followsCaller } = take(
    'OTEL_TRACES_SAMPLER',
    SAMPLERS['traceidratio'] as (typeof SAMPLERS)[string],
    Object.keys(SAMPLERS).join(' or '),
    (text) => (Object.hasOwn(SAMPLERS, text) ? SAMPLERS[text] : undefined),
  );
  const share = take('OTEL_TRACES_SAMPLER_ARG', USUAL_RATIO, 'a number, 0 to 1', parseRatio);
  return { url, headers, serviceName, ratio: ratio ?? share, followsCaller };
}

/** Traces have a path of their own below the endpoint. */
function parseEndpoint(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  if (url.search !== '' || url.hash !== '') return undefined;
  return `${url.href.replace(/\/$/, '')}/v1/traces`;
}

function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [, name, encoded] = /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair) ?? [];
    if (name === undefined || encoded === undefined) return undefined;
    const value = decode(encoded);
    if (value === undefined || !/^[\x20-\x7e]*$/.test(value)) return undefined;
    headers[name] = value;
  }
  return headers;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function parseRatio(text: string): number | undefined {
  const ratio = /^(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)$/.test(text) ? Number(text) : -1;
  return ratio >= 0 && ratio <= 1 ? ratio : undefined;
}
