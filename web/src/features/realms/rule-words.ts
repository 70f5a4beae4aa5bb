import {
  countsOf,
  numberIn,
  type PasswordRule,
  parseRules,
  type RuleName,
  ruleNames,
} from '@quayside/contract/realms/password-rules'

interface RuleWords {
  label: string
  /** The rule with its number as one phrase. */
  phrase?: (value: string) => string
  /** Unit beside the number; undefined for a rule without one. */
  unit?: string
  means: string
  /** The number that is safe where the rule is used. */
  safe?: string
}

/** Rules in plain words. */
export const ruleWords: Readonly<Record<RuleName, RuleWords>> = {
  length: {
    ...{ label: 'Shortest length', unit: 'characters', safe: '12' },
    phrase: (value) => `At least ${value} characters`,
    means: 'Length keeps guessers away better than any other rule. Safe: 12 or more.',
  },
  maxLength: {
    ...{ label: 'Longest length', unit: 'characters', safe: '64' },
    phrase: (value) => `At most ${value} characters`,
    means: 'Safe: not used, so that nobody has to cut a long password.',
  },
  digits: { label: 'Digits', unit: 'at least', safe: '1', means: 'Safe: not used; long passwords need none.' },
  lowerCase: { label: 'Lower-case letters', unit: 'at least', safe: '1', means: 'Safe: not used.' },
  upperCase: { label: 'Upper-case letters', unit: 'at least', safe: '1', means: 'Safe: not used.' },
  specialChars: {
    ...{ label: 'Special characters', unit: 'at least', safe: '1' },
    means: 'Spaces, punctuation and all else that is neither letter nor digit. Safe: not used.',
  },
  notUsername: { label: 'Not the user name', means: 'The first password that anybody tries. Safe: used.' },
  notContainsUsername: { label: 'Without the user name in it', means: 'Stricter than the one above. Safe: used.' },
  notEmail: { label: 'Not the e-mail address', means: 'Others know it. Safe: used.' },
  passwordHistory: {
    ...{ label: 'Not a former password', unit: 'passwords', safe: '3' },
    phrase: (value) => `None of the last ${value} passwords`,
    means: 'As many of the last ones cannot come back, because they may have become known. Safe: 3.',
  },
  forceExpiredPasswordChange: {
    ...{ label: 'Changed from time to time', unit: 'days', safe: '365' },
    phrase: (value) => `Changed after ${value} days`,
    means: 'Safe: not used. Who has to change often chooses passwords that follow from the last one.',
  },
}

/** Rules that are safe for most tenants. */
export const safeRules: readonly PasswordRule[] = [
  { name: 'length', value: '12' },
  { name: 'notUsername', value: '' },
  { name: 'notContainsUsername', value: '' },
  { name: 'notEmail', value: '' },
  { name: 'passwordHistory', value: '3' },
]

/** 'At least 12 characters', 'Not the user name'; a rule that is not known as it is written. */
export function ruleText({ name, value }: PasswordRule): string {
  const words = ruleWords[name as RuleName] as RuleWords | undefined
  if (words === undefined) return value === '' ? name : `${name}(${value})`
  if (words.unit === undefined) return words.label
  const number = value || String(countsOf(name as RuleName)?.assumed)
  return words.phrase?.(number) ?? `${words.label}: at least ${number}`
}

/** Rules for which more is stricter; the others of those with a number are stricter with less. */
const stricterWithMore: readonly RuleName[] = [
  ...(['length', 'digits', 'lowerCase', 'upperCase', 'specialChars', 'passwordHistory'] as const),
]

const lessOf: Partial<Readonly<Record<RuleName, string>>> = {
  length: 'Shorter passwords are accepted, which are guessed sooner.',
  passwordHistory: 'Former passwords can come back sooner.',
  forceExpiredPasswordChange: 'Passwords count for longer.',
}

/** Sentences about what a change of the rules lets through that was refused before. */
export function weakenedRules(before: string, after: string): string[] {
  const [old, now] = [parseRules(before), parseRules(after)]
  if (now.length === 0)
    return old.length === 0 ? [] : ['Without any rule every password is accepted, also one of a single letter.']
  const gone = old.filter(({ name }) => !now.some((rule) => rule.name === name))
  const looser = ruleNames.filter((name) => {
    const [one, other] = [numberIn(old, name), numberIn(now, name)]
    if (one === undefined || other === undefined || name === 'maxLength') return false
    return stricterWithMore.includes(name) ? other < one : other > one
  })
  return [
    ...gone.filter(({ name }) => name !== 'maxLength').map((rule) => `No longer asked for: ${ruleText(rule)}.`),
    ...looser.map((name) => lessOf[name] ?? `Fewer are asked for: ${ruleWords[name].label.toLowerCase()}.`),
  ]
}
