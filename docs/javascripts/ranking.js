// Which rules answer a question: the same ranking as tkid/rulebook/search/, over the same data; a test compares the two.
// tkidRanking.prepare(data, more…) makes the rules ready; tkidRanking.ask(prepared, question, ruleset) ranks them.
// It needs base-stemmer.js and english-stemmer.js of the folder vendor, in this order, before it.
(() => {
  const EXACT = 100;
  const WHOLE = 0.99;
  const COMPARED = 8;
  const CLEAR = 0.3;
  const SHORT = 0.5;
  const ARTICLES = ["d", "l", "all", "dall", "dell", "nell", "sull"];
  const [ALIKE, ALIKE_IN_SENSE, SAME] = [0.6, 0.72, 0.8];
  const UNSPOKEN = 4;
  const TYPED = /[^\s.,;:!?"\u201c\u201d\u201e()/-]+/g;
  const PHRASES = ["title", "asks", "question", "words", "more"];

  // -- words ------------------------------------------------------------------------------------------------

  class Language {
    constructor(table) {
      Object.assign(this, { letters: table.letters, spellings: table.spellings, forms: table.forms, files: table.files });
      const endings = Object.keys(table.files).join("|");
      this.fileName = new RegExp(`[^\\s"'\u2018\u2019\u201c\u201d\`,;:()<>]*\\.(${endings})(?![a-z0-9])`, "gi");
      this.stemmer = new EnglishStemmer();
      this.stems = new Map();
      this.joined = new Map();
      const letters = Object.keys(table.forms).filter((text) => /^[a-z]+$/.test(text));
      this.spelt = new Map(letters.map((text) => [text, this.word(text).stem]));
      this.known = new Map();
      this.same = new Map();
      this.stop = new Set(table.stop.map((text) => this.word(text).text));
      this.asking = new Set(table.asking.map((text) => this.word(text).text));
      const everyday = [...table.common, ...table.everyday].map((text) => this.word(text));
      this.common = new Set([...this.stop, ...this.asking, ...everyday.map((word) => word.text)]);
      this.commonStems = new Set(everyday.map((word) => word.stem));
      this.numbers = new Set(table.numbers.map((text) => this.word(text).text));
      for (const { groups, weight } of [table.same, table.names]) {
        for (const group of groups) this.add(group, weight);
      }
      for (const name of table.regions) {
        const { stem } = this.word(name);
        if (!this.same.has(stem)) this.same.set(stem, new Map());
        this.same.get(stem).set(this.word("region").stem, table.weights.region);
      }
      this.foreign = Object.values(table.foreign).map((text) => this.readForeign(text));
      this.cues = new Set(table.protocol.cues.map((cue) => this.learn(cue)));
    }

    readForeign(text) {
      const groups = text.trim().split(/\s+/).map((group) => group.split(":"));
      const plain = groups.flatMap(([english, some]) => some.split(",").map((each) => [this.words(each)[0].text, english]));
      const vowels = plain.filter(([word]) => "aeiouh".includes(word[0]));
      return new Map([...vowels.flatMap(([word, english]) => ARTICLES.map((article) => [article + word, english])), ...plain]);
    }

    add(group, weight) {
      const stems = group.map((phrase) => this.learn(phrase));
      for (const stem of stems) {
        if (!this.same.has(stem)) this.same.set(stem, new Map());
        const others = this.same.get(stem);
        for (const each of stems) if (each !== stem) others.set(each, Math.max(weight, others.get(each) ?? 0));
      }
    }

    learn(text) {
      const words = this.words(text);
      if (words.length === 1) {
        this.known.set(words[0].text, words[0].stem);
        return words[0].stem;
      }
      const texts = words.map((word) => word.text);
      const pair = `${texts[0]} ${texts[1]}`;
      if (!this.joined.has(pair)) this.joined.set(pair, []);
      const known = this.joined.get(pair);
      if (!known.some((each) => each.join(" ") === texts.join(" "))) known.push(texts);
      return this.word(texts.join("")).stem;
    }

    word(text) {
      let found = this.stems.get(text);
      if (!found) {
        let spelt = text;
        for (const [one, other] of this.spellings) spelt = spelt.replaceAll(one, other);
        if (Object.hasOwn(this.forms, spelt)) spelt = this.forms[spelt];
        found = { text: spelt, stem: this.stemmer.stemWord(spelt) };
        this.stems.set(text, found);
      }
      return found;
    }

    words(text) {
      let plain = text.toLowerCase();
      if (/[^\0-\x7f]/.test(plain)) {
        plain = Array.from(plain, (each) => (Object.hasOwn(this.letters, each) ? this.letters[each] : each)).join("");
        plain = plain.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
      }
      plain = plain.replace(/['\u2018\u2019`]s(?![a-z0-9])/g, "").replace(/['\u2018\u2019`]/g, "");
      return (plain.match(/[a-z0-9]+/g) ?? []).map((each) => this.word(each));
    }

    // A question with what a file is in place of its name; what is the id of a rule is no name of a file.
    withKindsOfFiles(text, ids) {
      return text.replace(this.fileName, (name, ending) => (ids.has(name.toLowerCase()) ? name : this.files[ending.toLowerCase()]));
    }

    phrases(words) {
      const found = [];
      words.forEach((word, start) => {
        for (const phrase of this.joined.get(`${word.text} ${words[start + 1]?.text}`) ?? []) {
          if (phrase.every((text, place) => words[start + place]?.text === text)) {
            found.push({ stem: this.word(phrase.join("")).stem, start, length: phrase.length });
          }
        }
      });
      return found;
    }

    alike(stem, weight) {
      const stems = new Map([[stem, weight]]);
      for (const [each, much] of this.same.get(stem) ?? []) stems.set(each, weight * much);
      return stems;
    }
  }

  // -- the rules made ready ---------------------------------------------------------------------------------

  class Index {
    constructor(...data) {
      const table = data[0].words;
      this.language = new Language(table);
      this.weights = table.weights;
      this.chances = table.chances;
      this.facts = table.facts;
      const { facts = {}, fact_rows: shared = [], fact_answers: answers, rules } = data[0];
      const rows = shared.map(([kind, phrase, answer, rule, isPersonal]) => [kind, phrase, answers[answer], rules[rule].id, isPersonal]);
      this.stated = Object.fromEntries(
        Object.entries(facts).map(([code, each]) => [code, { ...each, rows: each.rows?.map((number) => rows[number]) }]),
      );
      this.editions = data.flatMap((each) => each.editions);
      this.games = new Map(this.editions.map((edition) => [edition.prefix, edition.game ?? ""]));
      this.entries = data.flatMap((each) => each.rules).map((record) => this.entry(record));
      this.byId = new Map(this.entries.map((entry, number) => [entry.record.id, number]));
      this.topics = new Map();
      this.entries.forEach((entry, number) => push(this.topics, entry.topic, number));
      this.words = new Map();
      this.fields = new Map();
      this.texts = [];
      this.inTexts = new Map();
      this.spoken = new Map();
      this.meant = new Map();
      this.asked = new Map();
      this.defined = new Map();
      this.rarities = new Map();
      this.read();
      const names = this.editions.flatMap((each) => [...(each.names ?? []), ...(each.signs ?? [])]);
      const ofNames = names.flatMap((name) => this.language.words(name)).map(({ text, stem }) => [text, stem]);
      this.lexicon = new Map([...ofNames, ...this.words, ...this.language.known, ...this.language.spelt]);
      this.inForce = new Map(this.editions.map((edition) => [edition.prefix, new Set(this.held(edition).values())]));
      this.known = new Map();
      for (const [prefix, held] of this.inForce) {
        const known = new Set();
        for (const [stem, where] of this.fields) {
          for (const number of where.keys()) {
            if (held.has(number)) {
              known.add(stem);
              break;
            }
          }
        }
        this.known.set(prefix, known);
      }
      const codes = this.editions.flatMap((edition) => (edition.rulesets ?? []).map((code) => [edition, code]));
      this.rulesets = new Map(codes.map(([edition, code]) => [code, [edition.prefix, variant(edition, code)]]));
      const words = new Set([...this.rulesets.values()].map(([, word]) => word));
      words.delete("");
      this.variants = this.entries.map((entry) => this.variantOf(entry, words));
      this.signs = new Map([...words].map((word) => [word, this.signsOf(word)]));
    }

    variantOf({ prefix, local }, words) {
      const stated = this.editions.find((edition) => edition.prefix === prefix).variants ?? [];
      const listed = stated.find(([, ...beginnings]) => beginnings.some((each) => begins(local, each)));
      return local.split(/[.-]/).find((word) => words.has(word)) ?? listed?.[0] ?? "";
    }

    signsOf(variant) {
      const stated = this.editions.flatMap(({ prefix, variants }) => (variants ?? []).map((listed) => [prefix, listed]));
      const own = stated.filter(([, [word]]) => word === variant);
      const editions = new Set(own.map(([prefix]) => prefix));
      const others = this.entries.filter((entry, number) => !this.variants[number] && editions.has(entry.prefix));
      const titles = this.stemsOf(others.map(({ record }) => record.title ?? ""));
      const ends = own.flatMap(([, [, ...beginnings]]) => beginnings.map((each) => each.slice(each.lastIndexOf(".") + 1)));
      const alone = [...this.stemsOf(ends)].filter((stem) => !titles.has(stem));
      return new Set([...alone, ...this.stemsOf([variant])]);
    }

    stemsOf(texts) {
      return new Set(texts.flatMap((text) => this.language.words(text)).map(({ stem }) => stem));
    }

    entry(record) {
      const dot = record.id.indexOf(".");
      const [prefix, local] = [record.id.slice(0, dot), record.id.slice(dot + 1)];
      const game = this.games.get(prefix);
      return { record, prefix, local, topic: game ? `${game}.${record.same ?? local}` : record.id };
    }

    rarity(stem) {
      let found = this.rarities.get(stem);
      if (found === undefined) {
        let spread = Math.max(1, this.spread.get(stem) ?? 0);
        for (const [each, weight] of this.language.same.get(stem) ?? []) {
          if (weight > 0.8) spread = Math.max(spread, this.spread.get(each) ?? 0);
        }
        found = Math.log(1 + this.topics.size / spread);
        this.rarities.set(stem, found);
      }
      return found;
    }

    // The stem of the word or phrase of which a question asks what it is; "" for any other question.
    definedTerm(words) {
      const found = new RegExp(this.facts.defining).exec(textOf(words));
      return found ? this.language.word(found[1].replaceAll(" ", "")).stem : "";
    }

    read() {
      const texts = [];
      const spoken = this.entries.map(() => new Map());
      this.entries.forEach((entry, number) => {
        const worth = new Map();
        for (const [name, part] of this.parts(entry)) {
          const stems = new Set();
          for (const text of part) {
            const words = this.language.words(text);
            const phrases = this.language.phrases(words).map((phrase) => phrase.stem);
            for (const each of stemsAndPairs(words)) spoken[number].set(each, (spoken[number].get(each) ?? 0) + 1);
            for (const stem of phrases) stems.add(stem);
            for (const word of words) {
              if (this.language.stop.has(word.text)) continue;
              this.words.set(word.text, word.stem);
              stems.add(word.stem);
            }
            if (name === "asks") push(this.asked, textOf(words), number);
            const term = ["asks", "more"].includes(name) && this.definedTerm(words);
            if (term && !this.defined.get(term)?.includes(number)) push(this.defined, term, number);
            if (PHRASES.includes(name)) texts.push([number, this.weights.phrases[name], words, phrases]);
          }
          for (const stem of stems) worth.set(stem, (worth.get(stem) ?? 0) + this.weights.fields[name]);
        }
        for (const [stem, much] of worth) {
          if (!this.fields.has(stem)) this.fields.set(stem, new Map());
          this.fields.get(stem).set(number, much / (much + this.weights.half));
        }
      });
      this.spread = new Map();
      for (const [stem, where] of this.fields) {
        const topics = new Set();
        for (const number of where.keys()) topics.add(this.entries[number].topic);
        this.spread.set(stem, topics.size);
      }
      for (const text of texts) this.readText(...text);
      this.weighSpoken(spoken);
    }

    // The rules whose texts have a stem or a pair, or words that mean the same, each with what that counts there.
    spokenAs(stem) {
      if (!this.meant.has(stem)) {
        const best = new Map(this.spoken.get(stem));
        for (const [other, weight] of this.language.same.get(stem) ?? []) {
          join(best, [...(this.spoken.get(other) ?? [])].map(([number, much]) => [number, weight * this.weights.spoken_same * much]));
        }
        this.meant.set(stem, best);
      }
      return this.meant.get(stem);
    }

    weighSpoken(spoken) {
      const spread = new Map();
      spoken.forEach((often, number) => {
        for (const each of often.keys()) {
          if (!spread.has(each)) spread.set(each, new Set());
          spread.get(each).add(this.entries[number].topic);
        }
      });
      const { spoken_pair: pair, spoken_half: middle } = this.weights;
      const size = ([each, { size }]) => [each, Math.log(1 + this.topics.size / size) * (each.includes(" ") ? pair : 1)];
      this.spokenSizes = new Map([...spread].map(size));
      const totals = spoken.map((often) => sum([...often.values()]));
      const usual = sum(totals) / spoken.length;
      spoken.forEach((often, number) => {
        const half = (middle * (1 + totals[number] / usual)) / 2;
        for (const [each, count] of often) {
          if (!this.spoken.has(each)) this.spoken.set(each, new Map());
          this.spoken.get(each).set(number, (this.spokenSizes.get(each) * count) / (count + half));
        }
      });
    }

    *parts({ record, local, topic }) {
      yield ["id", [local]];
      for (const name of ["title", "short", "statement", "question"]) yield [name, [record[name] ?? ""]];
      yield ["words", record.words ?? []];
      yield ["asks", (record.asks ?? []).map(([question]) => question)];
      yield ["more", this.topics.get(topic).flatMap((number) => this.entries[number].record.more ?? [])];
    }

    readText(entry, weight, words, phrases) {
      const sizes = new Map();
      for (const word of words) {
        const size = this.size(word);
        if (size) sizes.set(word.stem, size);
      }
      if (!sizes.size) return;
      for (const stem of new Set([...sizes.keys(), ...phrases])) push(this.inTexts, stem, this.texts.length);
      this.texts.push({ entry, weight, size: Math.sqrt(sum([...sizes.values()])) });
    }

    size(word) {
      if (this.language.asking.has(word.text)) return this.weights.asking;
      return this.language.stop.has(word.text) ? 0 : this.rarity(word.stem);
    }

    held(edition) {
      const below = this.editions.find((each) => each.prefix === edition.base);
      const held = below ? this.held(below) : new Map();
      for (const local of edition.without ?? []) held.delete(local);
      this.entries.forEach((entry, number) => {
        if (entry.prefix === edition.prefix) held.set(entry.local, number);
      });
      return held;
    }
  }

  const textOf = (words) => words.map(({ text }) => text).join(" ");

  const sum = (numbers) => numbers.reduce((all, each) => all + each, 0);

  // The stems of some words, and each two neighbours, once each.
  function stemsAndPairs(words) {
    const stems = words.map((word) => word.stem);
    return [...new Set([...stems, ...stems.slice(1).map((stem, place) => `${stems[place]} ${stem}`)])];
  }

  function push(lists, key, value) {
    if (!lists.has(key)) lists.set(key, []);
    lists.get(key).push(value);
  }

  function join(stems, more) {
    for (const [stem, weight] of more) stems.set(stem, Math.max(weight, stems.get(stem) ?? 0));
    return stems;
  }

  const begins = (local, beginning) => local.startsWith(beginning) && ["", ".", "-"].includes(local.slice(beginning.length)[0] ?? "");

  // -- the question -----------------------------------------------------------------------------------------

  function variant(edition, code) {
    const plain = edition.rulesets[0];
    return (code.startsWith(plain) ? code.slice(plain.length) : code).replace(/^-+|-+$/g, "");
  }

  function editionOf(index, ruleset) {
    return index.rulesets.get(ruleset) ?? [...index.rulesets.values()].find((found) => found.includes(ruleset)) ?? ["", ""];
  }

  function withoutNames(index, words) {
    const [named, gone] = [[], new Set()];
    for (const edition of index.editions) {
      const found = (edition.names ?? []).flatMap((name) => placesOf(index, name, words));
      if (found.length) named.push(edition.prefix);
      for (const place of found) gone.add(place);
    }
    return [named, words.filter((_, place) => !gone.has(place))];
  }

  function signedBy(index, words, prefix) {
    const own = index.editions.find((edition) => edition.prefix === prefix);
    const signed = index.editions
      .filter((edition) => (edition.signs ?? []).some((sign) => placesOf(index, sign, words).length))
      .map((edition) => edition.prefix);
    return signed.includes(prefix) || signed.includes(own?.base) ? [] : signed;
  }

  function placesOf(index, phrase, words) {
    const wanted = index.language.words(phrase);
    const places = [];
    for (let start = 0; start + wanted.length <= words.length; start += 1) {
      if (wanted.every((word, place) => words[start + place].text === word.text)) places.push(...wanted.map((_, place) => start + place));
    }
    return places;
  }

  const isEnglish = (index, { text }) => index.lexicon.has(text) || index.language.common.has(text);

  function translated(index, words) {
    const strange = new Set(words.filter((word) => !isEnglish(index, word)).map((word) => word.text));
    const common = (foreign) => [...strange].filter((text) => foreign.has(text)).length;
    const foreign = index.language.foreign.reduce((best, each) => (common(each) > common(best) ? each : best));
    const others = words.filter(({ text }) => strange.has(text) || !foreign.has(text));
    if (!words.length || 3 * common(foreign) < Math.max(1, others.length)) return words;
    return words.flatMap((word) => (foreign.has(word.text) ? index.language.words(foreign.get(word.text)) : [word]));
  }

  function corrected(index, words) {
    const meant = new Map();
    words.forEach((word, place) => {
      const near = isNew(index, word, place === words.length - 1) && nearest(index, word.text);
      if (near) meant.set(word.text, near);
    });
    return [words.map((word) => meant.get(word.text) ?? word), meant];
  }

  function isNew(index, word, last) {
    if (isEnglish(index, word) || index.fields.has(word.stem) || index.language.commonStems.has(word.stem)) return false;
    if (halvesOf(index, word.text).length) return false;
    const begun = begunBy(index, word.text, last);
    return !begun.length || (begun.length === 1 && word.text.length > 4 && nearest(index, word.text) !== undefined);
  }

  function nearest(index, text) {
    const alike = [...index.lexicon.keys()].filter((word) => word.length > 2 && word[0] === text[0]);
    const candidates = alike.filter((word) => !index.language.common.has(word) || haveSameLetters(word, text));
    let near = candidates.filter((word) => slip(text, word));
    const same = near.filter((word) => haveSameLetters(word, text));
    if (same.length) near = same;
    if (!near.length && text.length > 7) near = candidates.filter((word) => misspelt(text, word, 2));
    const found = new Map(near.map((word) => [index.lexicon.get(word), index.language.word(word)]));
    return found.size === 1 ? [...found.values()][0] : undefined;
  }

  const sorted = (text) => [...text].sort().join("");

  function termsOf(index, words) {
    const { language } = index;
    const terms = [];
    let counts = words.map(({ text }) => !language.stop.has(text) && !language.asking.has(text));
    if (!counts.some(Boolean)) counts = words.map(() => true);
    const known = (stems) => [...stems.keys()].some((stem) => index.fields.has(stem));
    const extra = words.map(() => new Map());
    const inPhrases = new Set();
    for (const { stem, start, length } of language.phrases(words)) {
      let alone = true;
      for (let place = start; place < start + length; place += 1) {
        inPhrases.add(place);
        if (!counts[place]) continue;
        alone = false;
        join(extra[place], language.alike(stem, 1));
      }
      if (alone && known(language.alike(stem, 1))) terms.push({ text: stem, size: index.rarity(stem) / 2, stems: language.alike(stem, 1), light: false });
    }
    for (let place = 0; place + 1 < words.length; place += 1) {
      const joined = index.words.get(words[place].text + words[place + 1].text);
      if (joined) for (const each of [place, place + 1]) join(extra[each], [[joined, 1]]);
    }
    if (sameNumberTwice(language, words)) {
      terms.push({ text: "tie", size: index.rarity("tie") / 2, stems: language.alike("tie", 1), light: false });
    }
    const said = new Set();
    words.forEach(({ text, stem }, place) => {
      if (said.has(stem)) return;
      said.add(stem);
      if (!counts[place]) {
        if (language.asking.has(text)) terms.push({ text, size: index.weights.asking, stems: new Map([[stem, 1]]), light: true });
        return;
      }
      let stems = join(inPhrases.has(place) ? new Map([[stem, 1]]) : language.alike(stem, 1), extra[place]);
      if (!known(stems) && !language.common.has(text)) stems = guessed(index, text, place === words.length - 1);
      if (known(stems)) {
        const most = Math.max(...stems.values());
        const best = [...stems.keys()].filter((each) => stems.get(each) === most);
        terms.push({ text, size: Math.max(...best.map((each) => index.rarity(each))), stems, light: false });
      } else {
        terms.push({ text, size: index.rarity(stem) / 2, stems: new Map(), light: false });
      }
    });
    return terms;
  }

  function sameNumberTwice(language, words) {
    const places = new Map();
    return words.some(({ text }, place) => {
      if (!language.numbers.has(text)) return false;
      const apart = place - (places.get(text) ?? place);
      places.set(text, place);
      return apart > 2 || (apart === 2 && words[place - 1].text !== "for") || (apart === 1 && text !== "one");
    });
  }

  function isCued(language, words) {
    const phrases = language.phrases(words);
    const used = new Set(phrases.flatMap(({ start, length }) => Array.from({ length }, (_, place) => start + place)));
    const alone = words.filter((_, place) => !used.has(place));
    return [...alone, ...phrases].some(({ stem }) => language.cues.has(stem));
  }

  function guessed(index, text, last) {
    const halves = halvesOf(index, text);
    if (halves.length) return new Map(halves.map((stem) => [stem, 1]));
    const stems = new Map();
    for (const stem of begunBy(index, text, last)) join(stems, index.language.alike(stem, index.weights.begun));
    return stems;
  }

  function halvesOf(index, text) {
    for (let cut = 3; cut < text.length - 2; cut += 1) {
      const halves = [index.words.get(text.slice(0, cut)), index.words.get(text.slice(cut))];
      if (halves.every(Boolean)) return halves;
    }
    return [];
  }

  function begunBy(index, text, last) {
    if (text.length < (last ? 2 : 4)) return [];
    return [...index.lexicon].filter(([word]) => word.startsWith(text)).map(([, stem]) => stem);
  }

  function slip(text, word) {
    if (!misspelt(text, word, 1)) return false;
    if (text.length > 4) return word.length > 3;
    return haveSameLetters(text, word) || (text.length === 4 && word.length !== 4);
  }

  const haveSameLetters = (one, other) => sorted(one) === sorted(other) || single(one) === single(other);
  const single = (text) => [...text].filter((letter, place) => letter !== text[place - 1]).join("");

  function misspelt(one, other, slips) {
    if (Math.abs(one.length - other.length) > slips) return false;
    let start = 0;
    while (start < Math.min(one.length, other.length) && one[start] === other[start]) start += 1;
    const [rest, others] = [one.slice(start), other.slice(start)];
    if (!slips || rest === others) return rest === others;
    const pairs = [[rest.slice(1), others], [rest, others.slice(1)], [rest.slice(1), others.slice(1)]];
    if (rest.length > 1 && rest[1] + rest[0] === others.slice(0, 2)) pairs.push([rest.slice(2), others.slice(2)]);
    return pairs.some(([mine, theirs]) => misspelt(mine, theirs, slips - 1));
  }

  // -- the rules --------------------------------------------------------------------------------------------

  // What the texts of each rule say of a question's words and pairs of neighbours, also of words that only ask.
  function spokenBy(index, words) {
    const spoken = new Map();
    const said = stemsAndPairs(words);
    for (const each of said) {
      for (const [number, much] of index.spokenAs(each)) spoken.set(number, (spoken.get(number) ?? 0) + much);
    }
    const total = sum(said.filter((each) => !each.includes(" ")).map((each) => index.spokenSizes.get(each) ?? UNSPOKEN));
    return new Map([...spoken].map(([number, much]) => [number, much / total]));
  }

  function rawScores(index, terms, words) {
    const [covered, having, likeness] = [new Map(), new Map(), new Map()];
    const add = (numbers, key, much) => numbers.set(key, (numbers.get(key) ?? 0) + much);
    for (const { size, stems, light } of terms) {
      const [best, texts] = [new Map(), new Map()];
      for (const [stem, weight] of stems) {
        if (!light) join(best, [...(index.fields.get(stem) ?? [])].map(([number, much]) => [number, weight * much]));
        for (const number of index.inTexts.get(stem) ?? []) texts.set(number, Math.max(texts.get(number) ?? 0, weight));
      }
      for (const [number, much] of best) {
        add(covered, number, size * much);
        add(having, number, 1);
      }
      for (const [number, much] of texts) add(likeness, number, size * much);
    }
    const counting = terms.filter((term) => !term.light);
    const total = sum(counting.map((term) => term.size));
    const whole = Math.sqrt(sum(terms.map((term) => term.size)));
    const alike = new Map();
    for (const [number, much] of likeness) {
      const { entry, weight, size } = index.texts[number];
      join(alike, [[entry, weight * Math.min(1, much / (whole * size))]]);
    }
    const scores = new Map();
    const [spoken, { likeness: weight, whole: exactly, spoken: often }] = [spokenBy(index, words), index.weights];
    for (const [number, much] of covered) {
      const like = alike.get(number) ?? 0;
      const texts = weight * like + (like > WHOLE ? exactly : 0);
      scores.set(number, much / total + texts + often * (spoken.get(number) ?? 0));
    }
    for (const topic of new Set([...scores.keys()].map((number) => index.entries[number].topic))) {
      const numbers = index.topics.get(topic);
      const most = Math.max(...numbers.map((number) => scores.get(number) ?? 0)) * index.weights.counterpart;
      join(scores, numbers.map((number) => [number, most]));
    }
    const complete = [...having].filter(([, count]) => count === counting.length).map(([number]) => number);
    return { scores, covered, alike, spoken, complete: new Set(complete) };
  }

  function byId(index, question, prefix) {
    const asked = question.trim().toLowerCase();
    if (index.byId.has(asked)) return new Set([index.byId.get(asked)]);
    return new Set([...(index.inForce.get(prefix) ?? [])].filter((number) => index.entries[number].local === asked));
  }

  function byQuestion(index, words, favoured) {
    const asked = index.asked.get(textOf(words)) ?? [];
    return new Set(asked.filter((number) => favoured.some((each) => index.inForce.get(each)?.has(number))));
  }

  // The one rule, in force or about files and mails, that says what something is, if a question asks that.
  function byTerm(index, words, favoured) {
    const isOpen = (number) => favoured.some((each) => index.inForce.get(each)?.has(number)) || !index.games.get(index.entries[number].prefix);
    const term = index.definedTerm(words);
    for (const terms of [[term], [...(index.language.same.get(term) ?? new Map()).keys()]]) {
      const found = terms.flatMap((each) => index.defined.get(each) ?? []).filter(isOpen);
      const often = (number) => found.filter((each) => each === number).length;
      const best = [...new Set(found)].filter((number) => found.every((each) => often(each) <= often(number)));
      if (best.length) return new Set(best.length === 1 ? best : []);
    }
    return new Set();
  }

  function knows(index, terms, prefix) {
    const known = index.known.get(prefix) ?? new Set();
    const total = sum(terms.map((term) => term.size));
    const best = (stems) => Math.max(0, ...[...stems].filter(([stem]) => known.has(stem)).map(([, weight]) => weight));
    return total ? sum(terms.map((term) => term.size * best(term.stems))) / total : 0;
  }

  function factorOf(index, terms, favoured, ownVariant, cued) {
    const { weights } = index;
    const boosts = favoured.map((each) => [
      index.inForce.get(each) ?? new Set(),
      1 + (weights.reader - 1) * Math.max(knows(index, terms, each) ** weights.support, weights.floor),
    ]);
    const based = new Set(index.editions.filter((each) => each.base).map((each) => each.prefix));
    const variants = variantFactors(index, terms, ownVariant);
    const here = new Set(favoured.map((each) => index.games.get(each) ?? ""));
    return (number) => {
      const { prefix, record } = index.entries[number];
      const kind = record.kind === "definition" ? weights.definition : 1;
      const game = index.games.get(prefix);
      if (!game) return cued ? weights.reader : weights.protocol;
      let found = Math.max(0, ...boosts.filter(([held]) => held.has(number)).map(([, boost]) => boost));
      if (favoured.includes(prefix) && based.has(prefix)) found *= weights.own;
      return kind * (found || (here.has(game) ? 1 : weights.other_game)) * variants.get(index.variants[number]);
    };
  }

  function variantFactors({ signs, weights }, terms, ownVariant) {
    const meant = new Set();
    for (const { stems } of terms) {
      const most = Math.max(...stems.values());
      for (const [stem, weight] of stems) if (weight === most) meant.add(stem);
    }
    const asked = (word) => [...signs.get(word)].some((stem) => meant.has(stem));
    const others = [...signs.keys()].map((word) => [word, asked(word) ? 1 : weights.other_variant]);
    return new Map([["", 1], ...others, [ownVariant, ownVariant ? weights.variant : 1]]);
  }

  function ordered(index, scores, favoured) {
    const held = (number) => favoured.some((each) => index.inForce.get(each)?.has(number));
    const order = [...scores.keys()].sort(
      (one, other) => rounded(scores.get(other)) - rounded(scores.get(one)) || one - other,
    );
    const first = new Map();
    for (const number of order) {
      const { topic } = index.entries[number];
      if (!first.has(topic) || (!held(first.get(topic)) && held(number))) first.set(topic, number);
    }
    const heads = new Set(first.values());
    return [order.filter((number) => heads.has(number)), order.filter((number) => !heads.has(number))];
  }

  // The rules that others replace for the reader's edition or the favoured ones; none of an edition that is itself favoured.
  function replacedIn(index, prefix, favoured, ownVariant) {
    const editions = [prefix, ...favoured];
    const held = (number) => editions.some((each) => index.inForce.get(each)?.has(number));
    const below = new Set(index.editions.filter((each) => editions.includes(each.prefix) && each.base).map((each) => each.base));
    for (const each of favoured) below.delete(each);
    const gone = new Set();
    for (const each of index.editions.filter(({ prefix: own }) => editions.includes(own))) {
      for (const [word, ...locals] of each.instead ?? []) if (word === ownVariant) for (const local of locals) gone.add(`${each.prefix}.${local}`);
    }
    const isGone = ({ prefix: own, record }, number) => gone.has(record.id) || (below.has(own) && !held(number));
    return new Set([...index.entries.keys()].filter((number) => isGone(index.entries[number], number)));
  }

  const estimate = (weights, signs) => 1 / (1 + Math.exp(-sum(weights.map((weight, place) => weight * signs[place]))));

  // What shows whether the first rule is the answer, each from 0 to 1.
  function measured(index, matches, heads, scores, counting, favoured) {
    if (!heads.length) return [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const same = (number) => index.topics.get(index.entries[number].topic);
    const most = (numbers, found) => Math.max(...numbers.map((number) => found.get(number) ?? 0));
    const ways = [matches.covered, matches.alike, matches.spoken].map((found) => heads.slice(0, COMPARED).map((head) => most(same(head), found)));
    const [covered, [first, ...others], spoken] = ways;
    const size = (terms) => sum(terms.map((term) => term.size));
    const strange = counting.filter((term) => !term.stems.size);
    const lead = 1 - (heads.length > 1 ? scores.get(heads[1]) / scores.get(heads[0]) : 0);
    return [
      first,
      first ** 3,
      Math.max(0, first - Math.max(0, ...others)),
      covered[0] / size(counting),
      Math.min(1, lead / CLEAR),
      size(strange) / size(counting),
      spoken[0],
      Math.min(SHORT, 1 / counting.length),
      index.games.get(index.entries[heads[0]].prefix) && !favoured.some((each) => index.inForce.get(each)?.has(heads[0])) ? 1 : 0,
      matches.complete.has(heads[0]) ? 1 : 0,
      ways.every((way) => way[0] >= Math.max(...way)) ? 1 : 0,
    ];
  }

  // Whether the first rule has every word that counts, all ways to score prefer it, and no word is of another edition.
  const leavesNothingOut = (signs) => String(signs.slice(-3)) === "1,1,0";

  function grouped(index, heads, rest, scores, certain) {
    const top = heads.length ? index.entries[heads[0]] : null;
    return [...heads, ...rest].map((number, place) => {
      const { record, topic } = index.entries[number];
      let group = "other";
      if (place === 0) group = certain ? "answer" : "maybe";
      else if (topic === top.topic) group = "editions";
      else if ((top.record.related ?? []).includes(record.id)) group = "related";
      else if (place < 3 && !certain) group = "maybe";
      return { id: record.id, score: rounded(scores.get(number)), group };
    });
  }

  const rounded = (score) => Math.round(score * 1e6) / 1e6;

  // The first fact that answers a question, the rule behind it, and its edition, of some editions; of the reader's own only what holds in the ruleset.
  function editionFactOf(index, words, tried, ruleset) {
    const [own] = editionOf(index, ruleset);
    for (const prefix of tried) {
      const codes = prefix === own ? [ruleset] : index.editions.find((each) => each.prefix === prefix).rulesets ?? [];
      for (const code of codes) {
        const [fact, rule] = factOf(index, words, index.stated[code]);
        if (fact) return [fact, rule, prefix];
      }
    }
    return ["", "", ""];
  }

  // -- replies ----------------------------------------------------------------------------------------------

  const matching = (patterns, words) => patterns.filter(([pattern]) => new RegExp(pattern).test(textOf(words))).map(([, name]) => name);
  const formOf = (index, words) => matching(Object.entries(index.facts.forms).map(([name, pattern]) => [pattern, name]), words).join(" ");

  // The answer of a rule to the question of it that is most like the asked one, or what it says in short; and whether that surely answers.
  function replyOf(index, words, record) {
    const form = formOf(index, words);
    const isOpen = index.facts.open.includes(form);
    const forms = form ? [form] : index.facts.open;
    const numbers = numbersOf(index, words);
    let [best, reply] = [0, ""];
    for (const [question, answer] of record.asks ?? []) {
      const own = index.language.words(question);
      const others = numbersOf(index, own);
      if (!forms.includes(formOf(index, own)) || (numbers.length && others.length && !numbers.some((each) => others.includes(each)))) continue;
      const isSame = textOf(own) === textOf(words);
      const like = Math.min(coverOf(index, words, own), coverOf(index, own, words)) + Number(isSame);
      const said = isOpen || hasCondition(index, words, own, answer);
      if (like > best && said && isOfAbsence(index, words, question, answer)) [best, reply] = [like, answer];
    }
    if (best > (isOpen ? ALIKE : ALIKE_IN_SENSE)) return [reply, isOpen || best >= SAME];
    const [short, isNumber] = [record.short ?? "", form.includes("number")];
    const isAmount = !isNumber || new RegExp(index.facts.amount).test(short.toLowerCase());
    const fits = isOpen && isAmount && isOfAbsence(index, words, short, record.title ?? "", record.statement ?? "");
    return [fits ? short : "", !short || (isOpen && !isNumber)];
  }

  // False if a question says that nobody does something, and none of a rule's texts is about such a case.
  function isOfAbsence(index, words, ...texts) {
    const [asked, said] = index.facts.absent.map((pattern) => new RegExp(pattern));
    return !asked.test(textOf(words)) || texts.some((text) => said.test(text.toLowerCase()));
  }

  // Whether a question or the answer says the condition of a rule's own question, such as "in an invasion".
  function hasCondition(index, words, own, answer) {
    const found = new RegExp(index.facts.condition).exec(textOf(own));
    const condition = found ? own.slice(own.length - found[1].split(" ").length) : [];
    const said = [...words, ...index.language.words(answer)];
    return !condition.some((word) => sizeOf(index, word)) || coverOf(index, condition, said) > ALIKE;
  }

  const numbersOf = ({ language }, words) => words.map(({ text }) => text).filter((text) => language.numbers.has(text) && text !== "one");

  function coverOf(index, some, others) {
    const known = new Set(stemsOfEach(index, others).flatMap((stems) => [...stems]));
    const sizes = some.map((word) => sizeOf(index, word));
    const means = (stem) => known.has(stem) || [...(index.language.same.get(stem) ?? new Map()).keys()].some((each) => known.has(each));
    const meant = stemsOfEach(index, some).map((stems, place) => ([...stems].some(means) ? sizes[place] : 0));
    return sum(meant) / (sum(sizes) || 1);
  }

  function sizeOf(index, word) {
    if (index.facts.personal.includes(word.text)) return index.weights.asking;
    return index.facts.filler.includes(word.text) ? 0 : index.size(word);
  }

  function stemsOfEach({ language, facts: { personal, alike } }, words) {
    const first = (text) => [personal, ...alike].find((each) => each.includes(text))?.[0];
    const stems = words.map(({ text, stem }) => new Set([first(text) ?? stem]));
    for (const { stem, start, length } of language.phrases(words)) for (let place = start; place < start + length; place += 1) stems[place].add(stem);
    return stems;
  }

  // -- facts ------------------------------------------------------------------------------------------------

  function meanings(language, text) {
    const { stem } = language.word(textOf(language.words(text)).replaceAll(" ", ""));
    return new Set([stem, ...(language.same.get(stem) ?? new Map()).keys()]);
  }

  const meanSame = (language, some, others) => some.every((one) => others.some((other) => one === other || language.same.get(one)?.has(other)));

  const joined = (names, word = "and") => [names.slice(0, -1).join(", "), names.at(-1)].filter(Boolean).join(` ${word} `);

  function borderAnswer(borders, one, other) {
    if (borders[one].includes(other)) return `Yes, ${one} and ${other} border each other.`;
    return `${other ? "No. " : ""}${one} borders ${joined(borders[one])}.`;
  }

  // Whether a card may change followers in a region, by what else is asked: the card, the faction that it places, or both.
  function placeAnswer(language, facts, asked, region) {
    const stemsOf = (name) => language.words(name).map(({ stem }) => stem);
    const factions = new Map(facts.factions.map((name) => [name, stemsOf(name)]));
    const [free, near, rules] = [[], [], []];
    for (const [card, rule, isHeld, placed, regions, people, home] of facts.cards) {
      const own = stemsOf(card);
      const others = asked.filter((stem) => !meanSame(language, [stem], own));
      const meant = [...factions.keys()].filter((name) => others.length && meanSame(language, others, factions.get(name)));
      const disc = regions.includes(region) ? `${home} has no disc or ` : "";
      if (!factions.has(card) && meanSame(language, own, asked) && meant.length === Number(others.length > 0)) {
        if (!meant.every((name) => placed.includes(name))) return placed.length ? [`No. ${card} places only ${joined(placed)} followers.`, rule] : null;
        if (!people) return [`Yes, while ${region} is open.`, rule];
        const control = `${disc}the ${people} control ${joined(facts.borders[region], "or")}`;
        return [disc ? `Yes, while ${region} is open, and ${control}.` : `No, unless ${control}.`, rule];
      }
      if (isHeld && asked.length && placed.some((name) => meanSame(language, asked, factions.get(name)))) {
        (people ? near : free).push(`with ${card}${people ? ` if ${disc}the ${people} control a bordering region` : ""}`);
        rules.splice(people ? 0 : rules.length, 0, rule);
      }
    }
    return free.length ? [`Yes, while ${region} is open: ${joined([...free, ...near], "or")}.`, rules[0]] : null;
  }

  // The stems of the words that count; the words of a phrase about a subject are one.
  function stemsAbout(index, words, subjects) {
    const { language, facts } = index;
    const longest = new Map();
    const phrases = language.phrases(words).filter(({ stem }) => subjects.has(stem)).sort((one, other) => one.length - other.length);
    for (const { stem, start, length } of phrases) for (let place = start; place < start + length; place += 1) longest.set(place, stem);
    const passed = new Set([...language.stop, ...language.asking, ...facts.passed].filter((text) => !facts.denying.includes(text)));
    const alone = words.filter(({ text }, place) => !longest.has(place) && !passed.has(text)).map(({ stem }) => stem);
    return [...new Set(longest.values()), ...alone];
  }

  // The answer to a question about the map, the cards or the set-up, and the rule behind it; two empty texts for any other question.
  function factOf(index, words, facts) {
    const { language, facts: table } = index;
    const isNumber = new RegExp(table.counting).test(textOf(words));
    const isMust = new RegExp(table.forms.must).test(textOf(words));
    const form = isNumber ? "number" : !table.yes.includes(words[0]?.text) ? "open" : isMust ? "must" : "yes";
    const subjects = new Set(table.subjects[form].flatMap((name) => [...meanings(language, name)]));
    const rest = stemsAbout(index, words, subjects);
    const [isPath, isPlacing] = ["path", "placing"].map((each) => form === "yes" && new RegExp(table[each]).test(textOf(words)));
    if (!facts?.borders || !rest.length || !(isNumber || isPath || isPlacing || rest.some((stem) => subjects.has(stem)))) return ["", ""];
    const idle = (kind) => new Set((table.idle[kind] ?? []).flatMap((each) => [...meanings(language, each)]));
    const near = new Set([...meanings(language, "border"), ...table.reach.map((each) => language.word(each).stem)]);
    const places = new Map(Object.keys(facts.borders).map((name) => [name, placesOf(index, name, words)]));
    const named = [...places.keys()].filter((name) => places.get(name).length);
    named.sort((one, other) => Math.min(...places.get(one)) - Math.min(...places.get(other)));
    const used = new Set(named.flatMap((name) => language.words(name)).map(({ stem }) => stem));
    const isBorder = (isPath && named.length === 2) || rest.some((stem) => near.has(stem));
    const besides = idle("border");
    if (isBorder && named.length && named.length < 3 && rest.every((stem) => used.has(stem) || near.has(stem) || besides.has(stem))) return [borderAnswer(facts.borders, ...named), facts.rule];
    if (isPlacing && named.length === 1) {
      const answer = placeAnswer(language, facts, rest.filter((stem) => !used.has(stem) && !idle("yes placing").has(stem)), named[0]);
      if (answer) return answer;
    }
    const personal = words.some(({ text }) => table.personal.includes(text));
    for (const [kind, phrase, answer, rule, isPersonal] of facts.rows) {
      if (!kind.split(" ").includes(form) || (personal && !isPersonal)) continue;
      const wanted = stemsAbout(index, language.words(phrase), subjects);
      const asked = rest.filter((stem) => wanted.includes(stem) || !idle(kind).has(stem));
      if (meanSame(language, asked, wanted) && meanSame(language, wanted, asked)) return [answer, rule];
    }
    const strange = rest.filter((stem) => !idle("yes map").has(stem));
    const isUnknown = ({ text }) => !index.lexicon.has(text) || table.lands.includes(text);
    const isNamed = words.some((word, place) => strange.length === 1 && word.stem === strange[0] && table.naming.includes(words[place - 1]?.text) && isUnknown(word));
    return rest.length > 1 && isNamed ? [facts.no_region, facts.region_rule] : ["", ""];
  }

  // The rules that `pack_data` in docs/making/ask_data.py has packed: an object for each.
  function unpacked(packed, often) {
    const words = often.split("^");
    const whole = (text) => text.replace(/[\u0500-\u06ff]/g, (letter) => words[letter.charCodeAt(0) - 0x500]);
    const pairs = (items) => items.flatMap((item, place) => (place % 2 ? [] : [[item, items[place + 1]]]));
    const cells = { asks: (text) => pairs(text.split("|")), applies: Number };
    for (const name of ["words", "more", "related"]) cells[name] = (text) => text.split("|");
    const rules = packed.id.split("^").map(() => ({}));
    for (const [name, text] of Object.entries(packed)) {
      whole(text).split("^").forEach((cell, place) => {
        if (cell) rules[place][name] = cells[name] ? cells[name](cell) : cell;
      });
    }
    return rules;
  }

  window.tkidRanking = {
    unpack: (data) => ({ ...data, rules: unpacked(data.rules, data.often) }),
    // `data` is search.json, which has the table of words; further files of the same form may follow.
    prepare: (...data) => new Index(...data),
    // What fits, best first: {hits: [{id, score, group}], certain, fits, unknown, protocol, confidence, corrected, reply}. A ruleset is a code, a prefix or
    // a variant. Where the rules of play do not fit, or the question is about files or mails (`protocol`), ask again with
    // protocol.json prepared too.
    ask(index, question, ruleset) {
      const { weights, chances } = index;
      const [prefix, ownVariant] = editionOf(index, ruleset);
      const plain = index.language.withKindsOfFiles(question, index.byId);
      const wording = index.language.words(plain);
      const [spelt, meant] = corrected(index, translated(index, wording));
      const [names, words] = withoutNames(index, spelt);
      const terms = termsOf(index, words);
      const counting = terms.filter((term) => !term.light);
      const known = counting.filter((term) => term.stems.size);
      const matches = rawScores(index, terms, words);
      const [saidNowhere] = [...matching(index.facts.unsaid, words), ...matching(index.facts.unsaid, wording)];
      const shifts = names.length ? names : signedBy(index, words, prefix);
      const named = shifts.filter((each) => knows(index, known, each) >= weights.named);
      const tried = saidNowhere !== undefined || names.length > 1 ? [] : names.length ? names : [...shifts, prefix];
      const [stated, factRule, edition] = editionFactOf(index, words, tried, ruleset);
      const where = stated && ![prefix, ...names].includes(edition) ? `In the ${index.editions.find((each) => each.prefix === edition).names[0]}: ` : "";
      const fact = where + stated;
      const favoured = fact ? [edition] : named.length ? named : [prefix];
      const ofId = fact ? new Set([index.byId.get(factRule)]) : byId(index, question, prefix);
      const asked = ofId.size ? ofId : byQuestion(index, spelt, favoured);
      const exact = asked.size || saidNowhere !== undefined ? asked : byTerm(index, spelt, favoured);
      const cued = isCued(index.language, words);
      const factor = factorOf(index, known, favoured, ownVariant, cued);
      const replaced = replacedIn(index, prefix, favoured, ownVariant);
      const scores = new Map();
      for (const number of new Set([...matches.scores.keys(), ...exact])) {
        if (replaced.has(number)) continue;
        const score = (exact.has(number) ? EXACT : 0) + (matches.scores.get(number) ?? 0);
        scores.set(number, score * (matches.complete.has(number) ? weights.all_words : 1) * factor(number));
      }
      const [heads, rest] = ordered(index, scores, favoured);
      const isShifted = !names.length && (favoured.length > 1 || favoured[0] !== prefix);
      const signs = [1, ...measured(index, matches, heads, scores, counting, favoured), Number(isShifted)];
      const isExact = heads.length > 0 && exact.has(heads[0]);
      const unsaid = exact.size ? undefined : saidNowhere;
      const [reply, isDirect] = heads.length ? replyOf(index, words, index.entries[heads[0]].record) : ["", true];
      const chance = (each) => (unsaid !== undefined ? 0 : isExact ? 1 : estimate(each, signs));
      const [found, right] = [chance(chances.found), fact || (isDirect && (exact.size || leavesNothingOut(signs))) ? chance(chances.right) : Math.min(chance(chances.right), chances.sure - 0.001)];
      const certain = heads.length > 0 && right >= chances.sure;
      const fits = certain || (heads.length > 0 && found >= chances.fits);
      const typed = question.match(TYPED) ?? [];
      const asTyped = (text) => typed.find((each) => index.language.words(each).some((word) => word.text === text)) ?? text;
      return {
        hits: grouped(index, heads, rest, scores, certain),
        certain,
        fits,
        unknown: counting.filter((term) => !term.stems.size).map(({ text }) => asTyped(text)),
        protocol: cued || counting.some((term) => !term.stems.size && term.text.length > 3),
        confidence: heads.length ? Math.round(right * 1000) / 1000 : 0,
        corrected: [...meant].map(([text, word]) => [asTyped(text), word.text]),
        reply: fits ? fact || reply : unsaid ?? "",
      };
    },
  };
})();
