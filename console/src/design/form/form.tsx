import {
  createContext,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  type SubmitEvent,
  type FormHTMLAttributes,
  type ReactElement,
  type Ref,
} from 'react';
import { noteUnsaved } from '../../shell/unsaved.ts';

type Told = {
  readonly tell: (field: string, differs: boolean) => void;
  /** Another value: what the fields hold now is saved. */
  readonly saved: unknown;
};

const FormContext = createContext<Told | undefined>(undefined);

/**
 * A form that asks before what was typed in it is lost: on another page, on the way back, on reload, where its box is closed.
 * Its fields tell it whether they hold something else than at first. `saved`: what came of its last write, where it stays open then.
 */
export function Form({
  saved,
  ref,
  onSubmit,
  ...rest
}: { readonly saved?: unknown; readonly ref?: Ref<HTMLFormElement> } & FormHTMLAttributes<HTMLFormElement>): ReactElement {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const told = useMemo(() => {
    const differing = new Set<string>();
    const tell = (field: string, differs: boolean): void => {
      if (differs) differing.add(field);
      else differing.delete(field);
      noteUnsaved(id, differing.size > 0, form.current);
    };
    return { tell, saved };
  }, [id, saved]);
  useEffect(() => () => noteUnsaved(id, false), [id]);
  const hold = (element: HTMLFormElement | null): void => {
    form.current = element;
    if (typeof ref === 'function') ref(element);
    else if (ref) ref.current = element;
  };
  // The first field at fault may be far above the button.
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    onSubmit?.(event);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return (
    <FormContext value={told}>
      <form {...rest} ref={hold} onSubmit={submit} noValidate />
    </FormContext>
  );
}

/** Tells the form around a field whether it holds something else than at first. Outside a form nothing is lost. */
export function useEdited(value: unknown): void {
  const field = useId();
  const told = use(FormContext);
  const first = useRef({ saved: told?.saved, value });
  if (first.current.saved !== told?.saved) first.current = { saved: told?.saved, value };
  const differs = value !== first.current.value;
  // Before the next key: who types and leaves at once is asked too.
  useLayoutEffect(() => {
    told?.tell(field, differs);
    return () => told?.tell(field, false);
  }, [told, field, differs]);
}
