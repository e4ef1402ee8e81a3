import { useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { ruleAt, type Rule } from '../../api/rules.ts';
import { useCheck } from './field.tsx';
import { useProblem } from './use-problem.ts';

type Values<Name extends string> = Readonly<Record<Name, string>>;

type Terms<Name extends string> = {
  /** Of the operation's body. */
  readonly rule: Rule | undefined;
  /** What the form needs: always, or by what it holds. */
  readonly required?: readonly NoInfer<Name>[] | ((values: Values<NoInfer<Name>>) => readonly NoInfer<Name>[]);
  readonly problem: Problem | null;
};

/** What a `Field` of the form takes. */
type FieldOf = {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rule: Rule | undefined;
  readonly isRequired: boolean;
  readonly fault: string | undefined;
};

/**
 * The texts of a form, checked by the rules of its operation. Nothing is called wrong before somebody tries to send it.
 * A name is a member of the body, or a member of a member: `amount/currency`.
 */
export function useForm<Name extends string>(initial: Values<Name>, { rule, required = [], problem }: Terms<Name>) {
  const [values, setValues] = useState(initial);
  const [hasTried, setTried] = useState(false);
  const check = useCheck();
  const { faultAt } = useProblem(problem);
  const needed = typeof required === 'function' ? required(values) : required;
  const isRequired = (name: Name): boolean => needed.includes(name);
  const faultOf = (name: Name): string | undefined => check(ruleAt(rule, `/${name}`), values[name], isRequired(name));
  /** Money is refused by its amount, or as a whole. */
  const refusedAt = (place: string): string | undefined => faultAt(place) ?? faultAt(place.replace(/(?<=.)\/amount$/, ''));
  const field = (name: Name): FieldOf => ({
    value: values[name],
    onValue: (value) => setValues((all) => ({ ...all, [name]: value })),
    rule: ruleAt(rule, `/${name}`),
    isRequired: isRequired(name),
    fault: refusedAt(`/${name}`) ?? (hasTried ? faultOf(name) : undefined),
  });
  /** Whether the form may be sent. From then on its faults are shown. */
  const isReady = (): boolean => {
    setTried(true);
    return (Object.keys(values) as Name[]).every((name) => faultOf(name) === undefined);
  };
  return { values, field, isReady, hasTried };
}

/** What `useForm` gives. */
export type Form<Name extends string> = ReturnType<typeof useForm<Name>>;
