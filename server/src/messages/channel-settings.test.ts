import { describe, expect, test } from 'vitest';
import { parseMailFrom, parseSmsUrl, parseSmtpUrl } from './channel-settings.ts';

describe('the settings of the ways', () => {
  test.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, isTls: false, login: undefined }],
    ['smtps://mail.example/', { host: 'mail.example', port: 465, isTls: true, login: undefined }],
    ['smtp://me%40x:p%3Ass@[::1]:25', { host: '::1', port: 25, isTls: false, login: { user: 'me@x', password: 'p:ss' } }],
    ['smtp://me@mail.example', undefined],
    ['smtp://me:%zz@mail.example', undefined],
    ['smtp://mail.example/inbox', undefined],
    ['smtp://mail.example?tls=no', undefined],
    ['http://mail.example', undefined],
    ['mail.example:25', undefined],
    ['smtp:', undefined],
  ])('CAUDAL_SMTP_URL %s', (url, expected) => expect(parseSmtpUrl(url)).toEqual(expected));

  test.each([
    ['pagos@caudal.example', { name: '', address: 'pagos@caudal.example' }],
    ['Pagos, S.A. <pagos@caudal.example>', { name: 'Pagos, S.A.', address: 'pagos@caudal.example' }],
    ['"Pagos" <pagos@localhost>', { name: 'Pagos', address: 'pagos@localhost' }],
    ['a@caudal.example, b@caudal.example', undefined],
    ['Pagos <pagos>', undefined],
    ['Pagos\nBcc: x@y.example <pagos@caudal.example>', undefined],
    ['', undefined],
  ])('CAUDAL_MAIL_FROM %j', (text, expected) => expect(parseMailFrom(text)).toEqual(expected));

  test.each([
    [
      'smpp://me:pass@sms.example',
      { kind: 'smpp', host: 'sms.example', port: 2775, isTls: false, user: 'me', password: 'pass', source: '' },
    ],
    ['smpps://me:pass@sms.example:1?source=85999', { kind: 'smpp', port: 1, isTls: true, source: '85999' }],
    ['smpp://me:pass@sms.example?source=MY%20SHOP', { source: 'MY SHOP' }],
    ['https://gateway.example/send?a=b', { kind: 'http', url: 'https://gateway.example/send?a=b', token: undefined }],
    ['https://to%2Bken@gateway.example/', { kind: 'http', url: 'https://gateway.example/', token: 'to+ken' }],
    ['http://localhost:9000/', { kind: 'http' }],
    ['http://127.0.0.1/', { kind: 'http' }],
    ['http://gateway.example/', undefined],
    ['https://user:pass@gateway.example/', undefined],
    ['smpp://sms.example', undefined],
    ['smpp://me:pass@sms.example?source=TOO-LONG-A-NAME', undefined],
    ['smpp://me:pass@sms.example?sender=X', undefined],
    ['smpp://me:pass@sms.example/path', undefined],
    ['ftp://gateway.example/', undefined],
  ])('CAUDAL_SMS_URL %s', (url, expected) => {
    if (expected === undefined) expect(parseSmsUrl(url, false)).toBeUndefined();
    else expect(parseSmsUrl(url, false)).toMatchObject(expected);
  });

  test('an HTTP gateway without TLS serves a sandbox', () => {
    expect(parseSmsUrl('http://gateway.example/', true)).toMatchObject({ kind: 'http' });
  });
});
