import type { Language } from '../kit/language.ts';
import type { UserAlert, UserLink } from './message.ts';

type UserMailText = { readonly heading: string; readonly opening: string; readonly closing: string };

type Labels = {
  readonly open: string;
  readonly validThrough: string;
  readonly at: string;
  /** Who gave access, and to which service. */
  readonly invited: (service: string, by: string | undefined) => string;
};

/** The texts of mails to users of the service. */
export const USER_MAIL_WORDS: Readonly<
  Record<Language, Labels & Readonly<Record<UserLink['purpose'] | UserAlert['event'], UserMailText>>>
> = {
  es: {
    open: 'Abrir el enlace',
    validThrough: 'El enlace sirve una vez, hasta',
    at: 'Fecha',
    invited: (service, by) => (by === undefined ? `Tiene acceso a ${service}.` : `${by} le dio acceso a ${service}.`),
    enrol: {
      heading: 'su acceso',
      opening: 'Abra el enlace para elegir su contraseña y conectar su aplicación de códigos.',
      closing: 'Si no espera este mensaje, ignórelo.',
    },
    password: {
      heading: 'nueva contraseña',
      opening: 'Abra el enlace para elegir una contraseña nueva. Su aplicación de códigos sigue igual.',
      closing: 'Si no lo pidió, ignore este mensaje: su contraseña no cambia.',
    },
    password_changed: {
      heading: 'su contraseña cambió',
      opening: 'La contraseña de su cuenta cambió, y las demás sesiones terminaron.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    codes_changed: {
      heading: 'su aplicación de códigos cambió',
      opening: 'Su cuenta acepta ahora códigos de otra aplicación, o tiene códigos de recuperación nuevos.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    recovery_code_used: {
      heading: 'se usó un código de recuperación',
      opening: 'Alguien entró a su cuenta con la contraseña y un código de recuperación.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    passkey_added: {
      heading: 'su cuenta tiene una llave de acceso nueva',
      opening: 'Alguien con acceso a su cuenta creó una llave de acceso. Con ella se entra sin contraseña.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    passkey_removed: {
      heading: 'se quitó una llave de acceso de su cuenta',
      opening: 'Alguien con acceso a su cuenta quitó una llave de acceso. Ya no sirve para entrar.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    account_reset: {
      heading: 'su cuenta se restableció',
      opening: 'Su contraseña, su aplicación de códigos, sus llaves de acceso y sus sesiones terminaron. Otro mensaje trae el enlace.',
      closing: 'Si no lo espera, avise hoy mismo a quien administra el servicio.',
    },
    invited_elsewhere: {
      heading: 'una invitación a su dirección',
      opening: 'El administrador de un comercio invitó a su dirección, que ya tiene una cuenta. Nada cambió en ella.',
      closing: 'Si quiere pasar a ese comercio, escriba a quien administra el servicio. Si no, ignore este mensaje.',
    },
  },
  en: {
    open: 'Open the link',
    validThrough: 'The link works once, until',
    at: 'Date',
    invited: (service, by) =>
      by === undefined ? `You have been given access to ${service}.` : `${by} has given you access to ${service}.`,
    enrol: {
      heading: 'your access',
      opening: 'Open the link to choose your password and to connect your authenticator app.',
      closing: 'If you do not expect this message, ignore it.',
    },
    password: {
      heading: 'a new password',
      opening: 'Open the link to choose a new password. Your authenticator app stays as it is.',
      closing: 'If you did not ask for it, ignore this message: your password does not change.',
    },
    password_changed: {
      heading: 'your password changed',
      opening: 'The password of your account changed, and its other sessions ended.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    codes_changed: {
      heading: 'your authenticator app changed',
      opening: 'Your account now takes codes of another app, or has new recovery codes.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    recovery_code_used: {
      heading: 'a recovery code was used',
      opening: 'Somebody signed in to your account with the password and a recovery code.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    passkey_added: {
      heading: 'your account has a new passkey',
      opening: 'Somebody with access to your account made a passkey. It signs in without a password.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    passkey_removed: {
      heading: 'a passkey was removed from your account',
      opening: 'Somebody with access to your account removed a passkey. It signs in no more.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    account_reset: {
      heading: 'your account was reset',
      opening: 'Your password, authenticator app, passkeys and sessions ended. Another message brings the link.',
      closing: 'If you do not expect it, inform the administrator of the service today.',
    },
    invited_elsewhere: {
      heading: 'an invitation of your address',
      opening: 'The administrator of a merchant invited your address, which has an account already. Nothing of it changed.',
      closing: 'If you want to move to that merchant, write to the administrator of the service. If not, ignore this message.',
    },
  },
  pt: {
    open: 'Abrir o link',
    validThrough: 'O link funciona uma vez, até',
    at: 'Data',
    invited: (service, by) => (by === undefined ? `Você tem acesso a ${service}.` : `${by} deu a você acesso a ${service}.`),
    enrol: {
      heading: 'seu acesso',
      opening: 'Abra o link para escolher sua senha e conectar seu aplicativo de códigos.',
      closing: 'Se você não espera esta mensagem, ignore-a.',
    },
    password: {
      heading: 'nova senha',
      opening: 'Abra o link para escolher uma nova senha. Seu aplicativo de códigos continua o mesmo.',
      closing: 'Se você não pediu, ignore esta mensagem: sua senha não muda.',
    },
    password_changed: {
      heading: 'sua senha mudou',
      opening: 'A senha da sua conta mudou, e as outras sessões terminaram.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    codes_changed: {
      heading: 'seu aplicativo de códigos mudou',
      opening: 'Sua conta agora aceita códigos de outro aplicativo, ou tem novos códigos de recuperação.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    recovery_code_used: {
      heading: 'um código de recuperação foi usado',
      opening: 'Alguém entrou na sua conta com a senha e um código de recuperação.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    passkey_added: {
      heading: 'sua conta tem uma nova chave de acesso',
      opening: 'Alguém com acesso à sua conta criou uma chave de acesso. Com ela se entra sem senha.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    passkey_removed: {
      heading: 'uma chave de acesso foi removida da sua conta',
      opening: 'Alguém com acesso à sua conta removeu uma chave de acesso. Ela não serve mais para entrar.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    account_reset: {
      heading: 'sua conta foi redefinida',
      opening: 'Sua senha, seu aplicativo de códigos, suas chaves de acesso e suas sessões terminaram. Outra mensagem traz o link.',
      closing: 'Se você não espera isso, avise hoje mesmo quem administra o serviço.',
    },
    invited_elsewhere: {
      heading: 'um convite ao seu endereço',
      opening: 'O administrador de um estabelecimento convidou seu endereço, que já tem uma conta. Nada mudou nela.',
      closing: 'Se quiser passar para esse estabelecimento, escreva a quem administra o serviço. Se não, ignore esta mensagem.',
    },
  },
};
