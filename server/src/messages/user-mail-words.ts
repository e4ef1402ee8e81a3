import type { Language } from '../kit/language.ts';
import type { UserAlert, UserLink } from './message.ts';

type UserMailText = { readonly subject: string; readonly opening: string; readonly closing: string };

type Labels = { readonly open: string; readonly validThrough: string; readonly at: string };

/** The texts of mails to users of the service. */
export const USER_MAIL_WORDS: Readonly<
  Record<Language, Labels & Readonly<Record<UserLink['purpose'] | UserAlert['event'], UserMailText>>>
> = {
  es: {
    open: 'Abrir el enlace',
    validThrough: 'El enlace sirve una vez, hasta',
    at: 'Fecha',
    enrol: {
      subject: 'Caudal: su acceso',
      opening: 'Abra el enlace para elegir su contraseña y conectar su aplicación de códigos.',
      closing: 'Si no espera este mensaje, ignórelo.',
    },
    password: {
      subject: 'Caudal: nueva contraseña',
      opening: 'Abra el enlace para elegir una contraseña nueva. Su aplicación de códigos sigue igual.',
      closing: 'Si no lo pidió, ignore este mensaje: su contraseña no cambia.',
    },
    password_changed: {
      subject: 'Caudal: su contraseña cambió',
      opening: 'La contraseña de su cuenta cambió, y las demás sesiones terminaron.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    codes_changed: {
      subject: 'Caudal: su aplicación de códigos cambió',
      opening: 'Su cuenta acepta ahora códigos de otra aplicación, o tiene códigos de recuperación nuevos.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    recovery_code_used: {
      subject: 'Caudal: se usó un código de recuperación',
      opening: 'Alguien entró a su cuenta con la contraseña y un código de recuperación.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    passkey_added: {
      subject: 'Caudal: su cuenta tiene una llave de acceso nueva',
      opening: 'Alguien con acceso a su cuenta creó una llave de acceso. Con ella se entra sin contraseña.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    passkey_removed: {
      subject: 'Caudal: se quitó una llave de acceso de su cuenta',
      opening: 'Alguien con acceso a su cuenta quitó una llave de acceso. Ya no sirve para entrar.',
      closing: 'Si no fue usted, avise hoy mismo a quien administra el servicio.',
    },
    account_reset: {
      subject: 'Caudal: su cuenta se restableció',
      opening: 'Su contraseña, su aplicación de códigos, sus llaves de acceso y sus sesiones terminaron. Otro mensaje trae el enlace.',
      closing: 'Si no lo espera, avise hoy mismo a quien administra el servicio.',
    },
    invited_elsewhere: {
      subject: 'Caudal: una invitación a su dirección',
      opening: 'El administrador de un comercio invitó a su dirección, que ya tiene una cuenta. Nada cambió en ella.',
      closing: 'Si quiere pasar a ese comercio, escriba a quien administra el servicio. Si no, ignore este mensaje.',
    },
  },
  en: {
    open: 'Open the link',
    validThrough: 'The link works once, until',
    at: 'Date',
    enrol: {
      subject: 'Caudal: your access',
      opening: 'Open the link to choose your password and to connect your authenticator app.',
      closing: 'If you do not expect this message, ignore it.',
    },
    password: {
      subject: 'Caudal: a new password',
      opening: 'Open the link to choose a new password. Your authenticator app stays as it is.',
      closing: 'If you did not ask for it, ignore this message: your password does not change.',
    },
    password_changed: {
      subject: 'Caudal: your password changed',
      opening: 'The password of your account changed, and its other sessions ended.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    codes_changed: {
      subject: 'Caudal: your authenticator app changed',
      opening: 'Your account now takes codes of another app, or has new recovery codes.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    recovery_code_used: {
      subject: 'Caudal: a recovery code was used',
      opening: 'Somebody signed in to your account with the password and a recovery code.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    passkey_added: {
      subject: 'Caudal: your account has a new passkey',
      opening: 'Somebody with access to your account made a passkey. It signs in without a password.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    passkey_removed: {
      subject: 'Caudal: a passkey was removed from your account',
      opening: 'Somebody with access to your account removed a passkey. It signs in no more.',
      closing: 'If it was not you, inform the administrator of the service today.',
    },
    account_reset: {
      subject: 'Caudal: your account was reset',
      opening: 'Your password, authenticator app, passkeys and sessions ended. Another message brings the link.',
      closing: 'If you do not expect it, inform the administrator of the service today.',
    },
    invited_elsewhere: {
      subject: 'Caudal: an invitation of your address',
      opening: 'The administrator of a merchant invited your address, which has an account already. Nothing of it changed.',
      closing: 'If you want to move to that merchant, write to the administrator of the service. If not, ignore this message.',
    },
  },
  pt: {
    open: 'Abrir o link',
    validThrough: 'O link funciona uma vez, até',
    at: 'Data',
    enrol: {
      subject: 'Caudal: seu acesso',
      opening: 'Abra o link para escolher sua senha e conectar seu aplicativo de códigos.',
      closing: 'Se você não espera esta mensagem, ignore-a.',
    },
    password: {
      subject: 'Caudal: nova senha',
      opening: 'Abra o link para escolher uma nova senha. Seu aplicativo de códigos continua o mesmo.',
      closing: 'Se você não pediu, ignore esta mensagem: sua senha não muda.',
    },
    password_changed: {
      subject: 'Caudal: sua senha mudou',
      opening: 'A senha da sua conta mudou, e as outras sessões terminaram.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    codes_changed: {
      subject: 'Caudal: seu aplicativo de códigos mudou',
      opening: 'Sua conta agora aceita códigos de outro aplicativo, ou tem novos códigos de recuperação.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    recovery_code_used: {
      subject: 'Caudal: um código de recuperação foi usado',
      opening: 'Alguém entrou na sua conta com a senha e um código de recuperação.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    passkey_added: {
      subject: 'Caudal: sua conta tem uma nova chave de acesso',
      opening: 'Alguém com acesso à sua conta criou uma chave de acesso. Com ela se entra sem senha.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    passkey_removed: {
      subject: 'Caudal: uma chave de acesso foi removida da sua conta',
      opening: 'Alguém com acesso à sua conta removeu uma chave de acesso. Ela não serve mais para entrar.',
      closing: 'Se não foi você, avise hoje mesmo quem administra o serviço.',
    },
    account_reset: {
      subject: 'Caudal: sua conta foi redefinida',
      opening: 'Sua senha, seu aplicativo de códigos, suas chaves de acesso e suas sessões terminaram. Outra mensagem traz o link.',
      closing: 'Se você não espera isso, avise hoje mesmo quem administra o serviço.',
    },
    invited_elsewhere: {
      subject: 'Caudal: um convite ao seu endereço',
      opening: 'O administrador de um estabelecimento convidou seu endereço, que já tem uma conta. Nada mudou nela.',
      closing: 'Se quiser passar para esse estabelecimento, escreva a quem administra o serviço. Se não, ignore esta mensagem.',
    },
  },
};
