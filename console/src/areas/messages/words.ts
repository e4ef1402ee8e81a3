import { defineWords } from '../../shell/language.ts';

/** The texts of messages to payers and end users. */
export const MESSAGES = defineWords({
  es: {
    title: 'Mensajes',
    hint: 'Correos y SMS a pagadores y usuarios finales. Ni el destinatario ni el texto se guardan para mostrarlos.',
    subject: 'Sobre',
    merchant: 'Comercio',
    channel: 'Por',
    channels: { mail: 'Correo', sms: 'SMS' },
    created: 'Escrito',
    ended: 'Terminado',
    id: 'Número',
    open: 'Ver el mensaje',
    failed: 'Lo que no salió',
  },
  en: {
    title: 'Messages',
    hint: 'Mails and SMS to payers and end users. Neither the recipient nor the text is kept to be shown.',
    subject: 'About',
    merchant: 'Merchant',
    channel: 'By',
    channels: { mail: 'Mail', sms: 'SMS' },
    created: 'Written',
    ended: 'Ended',
    id: 'Number',
    open: 'See the message',
    failed: 'What did not go out',
  },
  pt: {
    title: 'Mensagens',
    hint: 'E-mails e SMS a pagadores e usuários finais. Nem o destinatário nem o texto são guardados para mostrar.',
    subject: 'Sobre',
    merchant: 'Comércio',
    channel: 'Por',
    channels: { mail: 'E-mail', sms: 'SMS' },
    created: 'Escrita',
    ended: 'Terminada',
    id: 'Número',
    open: 'Ver a mensagem',
    failed: 'O que não saiu',
  },
});
