import { defineWords } from '../../shell/language.ts';

/** The problems that every page can meet, in the first file of the console. All others are in `rare-problem-words.ts`. */
export const PROBLEMS = defineWords({
  es: {
    offline: 'No hay conexión con el servicio',
    unreadable: 'La respuesta no se entiende: algo entre usted y el servicio contestó en su lugar',
    not_signed_in: 'Su sesión terminó',
    permission_missing: 'Usted no puede hacer esto',
    step_up_required: 'Confirme su identidad y repita la acción',
    not_found: 'No existe, o usted no tiene permiso para verlo',
    too_many_requests: 'Demasiadas solicitudes. Espere unos segundos',
    internal: 'Un fallo del servicio. No se sabe qué fue de la solicitud',
    unavailable: 'El servicio no puede atender en este momento',
  },
  en: {
    offline: 'There is no connection to the service',
    unreadable: 'The answer makes no sense: something between you and the service answered instead',
    not_signed_in: 'Your session has ended',
    permission_missing: 'You may not do this',
    step_up_required: 'Prove who you are, and do it again',
    not_found: 'It does not exist, or you may not see it',
    too_many_requests: 'Too many requests. Wait a few seconds',
    internal: 'Something failed in the service. It is not known whether the request was carried out',
    unavailable: 'The service is not available right now',
  },
  pt: {
    offline: 'Não há conexão com o serviço',
    unreadable: 'A resposta não faz sentido: algo entre você e o serviço respondeu no lugar dele',
    not_signed_in: 'Sua sessão terminou',
    permission_missing: 'Você não pode fazer isto',
    step_up_required: 'Confirme sua identidade e repita a ação',
    not_found: 'Não existe, ou você não tem acesso',
    too_many_requests: 'Solicitações demais. Espere alguns segundos',
    internal: 'Uma falha do serviço. Não se sabe o que foi da solicitação',
    unavailable: 'O serviço não está disponível agora',
  },
});
