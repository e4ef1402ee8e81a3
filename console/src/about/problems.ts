import { defineWords, textOf, useWords } from '../shell/language.ts';
import { problemIn } from './cause.ts';
import { useStatusText } from './status.ts';

/** Why a notice or a message did not go out, in a few words. Lists and tables have room for no more. */
export const UNSENT = defineWords({
  es: {
    notice: {
      down: 'el servidor no responde',
      broken: 'la conexión se cortó',
      slow: 'no respondió a tiempo',
      name: 'el nombre no está en el DNS',
      refused: 'la dirección no es pública o no es https',
      redirect: 'no se siguen redirecciones',
      unaddressed: 'el comercio no tiene URL de avisos',
      paused: 'el receptor estaba en pausa',
      certificate: 'el certificado no es válido',
      handshake: 'no responde con TLS',
      hash: 'el hash de avisos no se puede leer',
      changes: 'el historial no dice qué cambió',
      unknown: 'motivo desconocido',
    },
    message: {
      fault: 'fallo del servicio',
      'recipient limit': 'demasiados para este destinatario',
      'no channel': 'el servicio no tiene con qué enviarlo',
      superseded: 'hay una clave más nueva',
      'too late': 'se acabó el plazo',
      address: 'la dirección no es válida',
      number: 'el número no es un celular posible',
      timeout: 'no respondió a tiempo',
      closed: 'la conexión se cortó',
      protocol: 'la respuesta no se entiende',
      erased: 'se borraron los datos de la persona',
      unknown: 'motivo desconocido',
    },
  },
  en: {
    notice: {
      down: 'nobody answers',
      broken: 'the connection broke',
      slow: 'it did not answer in time',
      name: 'the name is not in the DNS',
      refused: 'the address is not public or not https',
      redirect: 'redirects are not followed',
      unaddressed: 'the merchant has no notice URL',
      paused: 'the receiver was paused',
      certificate: 'the certificate is not valid',
      handshake: 'it does not answer with TLS',
      hash: 'the notice hash cannot be read',
      changes: 'the history does not say what changed',
      unknown: 'reason not known',
    },
    message: {
      fault: 'a fault of the service',
      'recipient limit': 'too many for this recipient',
      'no channel': 'the service has nothing to send it with',
      superseded: 'there is a newer password',
      'too late': 'its time was over',
      address: 'the address is not valid',
      number: 'not a possible mobile number',
      timeout: 'no answer in time',
      closed: 'the connection broke',
      protocol: 'the answer makes no sense',
      erased: 'the data of the person were erased',
      unknown: 'reason not known',
    },
  },
  pt: {
    notice: {
      down: 'o servidor não respondeu',
      broken: 'a conexão caiu',
      slow: 'não respondeu a tempo',
      name: 'o nome não está no DNS',
      refused: 'o endereço não é público ou não é https',
      redirect: 'redirecionamentos não são seguidos',
      unaddressed: 'o estabelecimento não tem URL de avisos',
      paused: 'o receptor estava em pausa',
      certificate: 'o certificado não é válido',
      handshake: 'não responde com TLS',
      hash: 'o hash de avisos não pode ser lido',
      changes: 'o histórico não diz o que mudou',
      unknown: 'motivo desconhecido',
    },
    message: {
      fault: 'falha do serviço',
      'recipient limit': 'demais para este destinatário',
      'no channel': 'o serviço não tem como enviá-la',
      superseded: 'há uma senha mais nova',
      'too late': 'o prazo acabou',
      address: 'o endereço não é válido',
      number: 'o número não é um celular possível',
      timeout: 'não respondeu a tempo',
      closed: 'a conexão caiu',
      protocol: 'a resposta não se entende',
      erased: 'os dados da pessoa foram apagados',
      unknown: 'motivo desconhecido',
    },
  },
});

/** Says why a notice did not arrive. */
export function useNoticeProblem(): (problem: string) => string {
  const { notice } = useWords(UNSENT);
  const statusText = useStatusText();
  return (problem) => {
    const [, status] = /^HTTP (\d{3})$/.exec(problem) ?? [];
    return status === undefined ? problemIn(notice, problem) : statusText(Number(status));
  };
}

/** Says why a notice did not arrive, else what its receiver answered. */
export function useNoticeAnswer(): (notice: { readonly problem: string | null; readonly answerStatus: number | null }) => string {
  const problemText = useNoticeProblem();
  const statusText = useStatusText();
  return ({ problem, answerStatus }) => (problem !== null ? problemText(problem) : answerStatus === null ? '—' : statusText(answerStatus));
}

/** Says why a mail or an SMS did not go out. The codes of mail servers and SMS centres stay as they are. */
export function useMessageProblem(): (problem: string) => string {
  const { message } = useWords(UNSENT);
  return (problem) => textOf(message, problem) ?? problem;
}
