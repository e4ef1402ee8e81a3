// Made by `npm run generate` from the declarations of the operations.

export const COMMON_PROBLEMS = {
  es: {
    internal: "Un fallo del servicio. No se sabe qué fue de la solicitud",
    not_found: "No existe, o usted no tiene permiso para verlo",
    not_signed_in: "Su sesión terminó",
    permission_missing: "Usted no puede hacer esto",
    step_up_required: "Confirme su identidad y repita la acción",
    too_many_requests: "Demasiadas solicitudes. Espere unos segundos",
    unavailable: "El servicio no puede atender en este momento",
  },
  en: {
    internal: "Something failed in the service. It is not known whether the request was carried out",
    not_found: "It does not exist, or you may not see it",
    not_signed_in: "Your session has ended",
    permission_missing: "You may not do this",
    step_up_required: "Prove who you are, and do it again",
    too_many_requests: "Too many requests. Wait a few seconds",
    unavailable: "The service is not available right now",
  },
  pt: {
    internal: "Uma falha do serviço. Não se sabe o que foi da solicitação",
    not_found: "Não existe, ou você não tem acesso",
    not_signed_in: "Sua sessão terminou",
    permission_missing: "Você não pode fazer isto",
    step_up_required: "Confirme sua identidade e repita a ação",
    too_many_requests: "Solicitações demais. Espere alguns segundos",
    unavailable: "O serviço não está disponível agora",
  },
} as const;
