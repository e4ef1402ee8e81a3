import type { Problem } from '../../api/problem.ts';
import { defineWords } from '../../shell/language.ts';

/** What the problems of the management API mean to people. A problem without a text here is shown as the API names it. */
export const PROBLEMS = defineWords({
  es: {
    offline: 'No hay conexión con el servicio',
    unreadable: 'La respuesta no se entiende: algo entre usted y el servicio contestó en su lugar',
    not_signed_in: 'Su sesión terminó',
    permission_missing: 'Usted no puede hacer esto',
    origin_foreign: 'La solicitud viene de otro sitio',
    step_up_required: 'Confirme quién es y hágalo de nuevo',
    not_found: 'No existe, o usted no lo puede ver',
    fields_invalid: 'Algunos campos no son válidos',
    version_mismatch: 'Cambió entretanto. No se escribió nada',
    key_in_flight: 'La misma solicitud está en curso',
    too_many_requests: 'Demasiadas solicitudes. Espere unos segundos',
    internal: 'Un fallo del servicio. No se sabe qué fue de la solicitud',
    unavailable: 'El servicio no puede atender en este momento',
    merchant_frozen: 'El comercio está congelado',
    order_not_open: 'La orden ya no está abierta',
    order_exists: 'Ya existe una orden con ese número',
    reference_taken: 'La referencia ya está en uso',
    endpoint_paused: 'Un operador pausó los avisos de este comercio',
    test_waiting: 'La prueba anterior sigue en camino: dura un minuto a lo sumo',
  },
  en: {
    offline: 'There is no connection to the service',
    unreadable: 'The answer makes no sense: something between you and the service answered for it',
    not_signed_in: 'Your session has ended',
    permission_missing: 'You may not do this',
    origin_foreign: 'The request comes from another site',
    step_up_required: 'Prove who you are, and do it again',
    not_found: 'It does not exist, or you may not see it',
    fields_invalid: 'Some fields are wrong',
    version_mismatch: 'It has changed meanwhile. Nothing was written',
    key_in_flight: 'The same request is being carried out',
    too_many_requests: 'Too many requests. Wait a few seconds',
    internal: 'A fault of the service. What became of the request is not known',
    unavailable: 'The service cannot serve now',
    merchant_frozen: 'The merchant is frozen',
    order_not_open: 'The order is not open any more',
    order_exists: 'There is an order with this number already',
    reference_taken: 'The reference is in use already',
    endpoint_paused: 'An operator paused the notices of this merchant',
    test_waiting: 'The test before is still on its way: it takes a minute at most',
  },
  pt: {
    offline: 'Não há conexão com o serviço',
    unreadable: 'A resposta não faz sentido: algo entre você e o serviço respondeu no lugar dele',
    not_signed_in: 'Sua sessão terminou',
    permission_missing: 'Você não pode fazer isto',
    origin_foreign: 'A solicitação vem de outro site',
    step_up_required: 'Confirme quem você é e faça de novo',
    not_found: 'Não existe, ou você não pode ver',
    fields_invalid: 'Alguns campos não são válidos',
    version_mismatch: 'Mudou nesse meio tempo. Nada foi gravado',
    key_in_flight: 'A mesma solicitação está em andamento',
    too_many_requests: 'Solicitações demais. Espere alguns segundos',
    internal: 'Uma falha do serviço. Não se sabe o que foi da solicitação',
    unavailable: 'O serviço não pode atender agora',
    merchant_frozen: 'O comércio está congelado',
    order_not_open: 'A ordem já não está aberta',
    order_exists: 'Já existe uma ordem com esse número',
    reference_taken: 'A referência já está em uso',
    endpoint_paused: 'Um operador pausou os avisos deste comércio',
    test_waiting: 'O teste anterior ainda está a caminho: dura um minuto no máximo',
  },
});

/** The text of a problem. */
export function problemText(texts: Readonly<Record<string, string>>, { problem, title, detail }: Problem): string {
  return texts[problem] ?? (detail === undefined ? title : `${title}: ${detail}`);
}
