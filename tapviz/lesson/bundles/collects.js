// Made by `npm run build` of the files named below: change those.
(() => {
  // tapviz/live/storage.js
  var kept = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  var keep = (key, text) => {
    try {
      if (text) localStorage.setItem(key, text);
      else localStorage.removeItem(key);
    } catch {
    }
  };

  // tapviz/lesson/collects.js
  var AGAIN = 1e3;
  var PATIENCE = 5;
  var KEY = "tapviz-student";
  var wait = () => new Promise((done) => {
    setTimeout(done, AGAIN);
  });
  async function ask(path, body) {
    const answer = await fetch(path, body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }
  var student = kept(KEY) || "";
  var arriving = false;
  var collects = {
    /** From now on it is another student. */
    another() {
      student = Array.from(crypto.getRandomValues(new Uint8Array(12)), (one) => one.toString(16).padStart(2, "0")).join("");
      keep(KEY, student);
    },
    /** Send all that a student has predicted; the questions that are revealed. @param {Answers} answers @returns {Promise<string[]>} */
    send: async (answers) => (await ask("lesson/predictions", { student, answers })).revealed,
    /** Send what a student has predicted by then, until it arrives or is refused: a class may come back after they went on. @param {() => Answers} predicted */
    async arrive(predicted) {
      if (arriving) return;
      arriving = true;
      while (!await collects.send(predicted()).then(() => true, (error) => !(error instanceof TypeError))) await wait();
      arriving = false;
    },
    /**
     * Send predictions until questions are revealed, or the class cannot be reached.
     *
     * @param {Answers} answers @param {string[]} questions @param {() => boolean} stays whether the student does
     * @returns {Promise<boolean>} whether they are revealed
     */
    async revealed(answers, questions, stays) {
      for (let missed = 0; missed < PATIENCE && stays(); await wait()) {
        try {
          const revealed = await collects.send(answers);
          if (questions.every((one) => revealed.includes(one))) return true;
          missed = 0;
        } catch {
          missed += 1;
        }
      }
      return false;
    },
    /** Tell what the class predicts whenever it changes, or why that is not known. @param {(answers: Answers[] | null) => void} tell */
    async watch(tell) {
      for (let before = ""; ; await wait()) {
        const answers = await ask("class/predictions").then((one) => one.answers, () => null), now = JSON.stringify(answers);
        if (now !== before) tell(answers);
        before = now;
      }
    },
    /** @param {string} question */
    reveal: (question) => ask("class/predictions", { question })
  };
  if (!student) collects.another();
  Object.assign(window, { collects });
})();
