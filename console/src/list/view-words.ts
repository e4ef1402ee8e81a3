import { defineWords } from '../shell/language.ts';

/** The texts of saved views. */
export const VIEWS = defineWords({
  es: {
    views: 'Vistas',
    save: 'Guardar esta vista',
    what: 'Se guardan los filtros y las columnas, para usted. Una vista no puede filtrar por una persona.',
    name: 'Nombre',
    keep: 'Guardar',
    remove: 'Borrar esta vista',
    removeWhat: (name: string) => `Se borra la vista «${name}». La lista sigue igual.`,
  },
  en: {
    views: 'Views',
    save: 'Save this view',
    what: 'The filters and columns are saved, for you. A view cannot filter by a person.',
    name: 'Name',
    keep: 'Save',
    remove: 'Delete this view',
    removeWhat: (name: string) => `The view “${name}” is deleted. The list stays as it is.`,
  },
  pt: {
    views: 'Visualizações',
    save: 'Salvar esta visualização',
    what: 'Os filtros e as colunas são salvos, para você. Uma visualização não pode filtrar por uma pessoa.',
    name: 'Nome',
    keep: 'Salvar',
    remove: 'Apagar esta visualização',
    removeWhat: (name: string) => `A visualização “${name}” é apagada. A lista continua igual.`,
  },
});
