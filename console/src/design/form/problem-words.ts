import { COMMON_PROBLEMS } from '../../api/generated/common-problems.ts';
import { defineWords } from '../../shell/language.ts';

/** The problems that every page can meet, in the first file of the console. The first two the console makes itself. */
export const PROBLEMS = defineWords({
  es: {
    offline: 'No hay conexión con el servicio',
    unreadable: 'La respuesta no se entiende: algo entre usted y el servicio contestó en su lugar',
    ...COMMON_PROBLEMS.es,
  },
  en: {
    offline: 'There is no connection to the service',
    unreadable: 'The answer makes no sense: something between you and the service answered instead',
    ...COMMON_PROBLEMS.en,
  },
  pt: {
    offline: 'Não há conexão com o serviço',
    unreadable: 'A resposta não faz sentido: algo entre você e o serviço respondeu no lugar dele',
    ...COMMON_PROBLEMS.pt,
  },
});
