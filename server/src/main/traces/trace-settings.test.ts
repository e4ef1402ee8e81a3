import { expect, test } from 'vitest';
import { settingsOf, type Environment } from '../settings.ts';
import { takeTraces, type TraceSettings } from './trace-settings.ts';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

function read(environment: Environment): { readonly traces: TraceSettings | undefined; readonly faults: readonly string[] } {
  const settings = settingsOf(environment);
  return { traces: takeTraces(settings), faults: settings.faults };
}

test('nothing is traced without an endpoint, whatever else is set', () => {
  const others = { OTEL_TRACES_SAMPLER: 'jaeger_remote', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_EXPORTER_OTLP_ENDPOINT: ' ' };
  expect(read(others)).toEqual({ traces: undefined, faults: [] });
});

test('an endpoint alone traces one request in a hundred, and callers do not decide', () => {
  expect(read(ENDPOINT)).toEqual({
    traces: { url: 'http://127.0.0.1:4318/v1/traces', headers: {}, serviceName: 'caudal', ratio: 0.01, followsCaller: false },
    faults: [],
  });
});

test('everything can be set', () => {
  const { traces, faults } = read({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.com/caudal/',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20a%2Cb, x-tenant = 7',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'payments',
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.5',
  });
  expect(faults).toEqual([]);
  expect(traces).toEqual({
    url: 'https://otel.example.com/caudal/v1/traces',
    headers: { Authorization: 'Bearer a,b', 'x-tenant': '7' },
    serviceName: 'payments',
    ratio: 0.5,
    followsCaller: true,
  });
});

test.each([
  ['always_on', { ratio: 1, followsCaller: false }],
  ['always_off', { ratio: 0, followsCaller: false }],
  ['traceidratio', { ratio: 0.2, followsCaller: false }],
  ['parentbased_always_on', { ratio: 1, followsCaller: true }],
  ['parentbased_always_off', { ratio: 0, followsCaller: true }],
])('the sampler %s', (sampler, expected) => {
  expect(read({ ...ENDPOINT, OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0.2' }).traces).toMatchObject(expected);
});

test.each([
  [
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    ['127.0.0.1:4318', 'grpc://host:4317', 'http://me:s3cret@host', 'http://host?key=s3cret', 'http://host#a'],
  ],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', ['grpc', 'http/protobuf']],
  ['OTEL_EXPORTER_OTLP_HEADERS', ['s3cret', 'a b=s3cret', 'a=s3cret%', 'a=s3cret%0A', 'a=s3cret,']],
  ['OTEL_TRACES_SAMPLER', ['constructor', 'jaeger_remote']],
  ['OTEL_TRACES_SAMPLER_ARG', ['1.1', '-1', 'x', '1e-2', 'NaN']],
])('refuses for %s: %s, without showing it', (name, values) => {
  for (const value of values) {
    const { faults } = read({ ...ENDPOINT, [name]: value });
    expect(faults, value).toEqual([expect.stringMatching(new RegExp(`^${name}: takes `))]);
    expect(faults.join('')).not.toContain('s3cret');
  }
});
