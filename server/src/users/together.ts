/**
 * Answers calls of one turn of the event loop by one call for all of them.
 * Shape: → asks for one. The answers of `askMany` are in the order of what it is asked for.
 */
export function together<Asked, Answer>(
  askMany: (asked: readonly Asked[]) => Promise<readonly Answer[]>,
): (asked: Asked) => Promise<Answer> {
  let waiting: { readonly asked: Asked[]; readonly answers: Promise<readonly Answer[]> } | undefined;
  return async (one) => {
    if (waiting === undefined) {
      const asked: Asked[] = [];
      waiting = {
        asked,
        answers: new Promise<void>((resolve) => void setImmediate(resolve)).then(() => {
          waiting = undefined;
          return askMany(asked);
        }),
      };
    }
    const { asked, answers } = waiting;
    const place = asked.push(one) - 1;
    return (await answers)[place] as Answer;
  };
}
