/**
 * Sends requests in order and returns their answers in the order of arrival, up to the wanted one. A request follows when one
 * before it was answered otherwise, and after `stepMs` in any case: a slow partner delays the next one by no more.
 */
export function askInTurn<Answer>(
  requests: readonly (() => Promise<Answer>)[],
  isWanted: (answer: Answer) => boolean,
  stepMs: number,
): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    const answers: Answer[] = [];
    let sent = 0;
    let timer: NodeJS.Timeout | undefined;
    let isOver = requests.length === 0;
    const end = () => {
      isOver = true;
      clearTimeout(timer);
    };
    const sendNext = () => {
      clearTimeout(timer);
      const request = requests[sent];
      if (isOver || request === undefined) return;
      sent += 1;
      timer = setTimeout(sendNext, stepMs);
      request().then(take, (error: unknown) => {
        end();
        reject(error);
      });
    };
    const take = (answer: Answer) => {
      if (isOver) return;
      answers.push(answer);
      if (!isWanted(answer) && answers.length < requests.length) return sendNext();
      end();
      resolve(answers);
    };
    if (isOver) resolve(answers);
    sendNext();
  });
}
