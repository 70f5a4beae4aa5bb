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
    means: 'Length protects a password better than any other rule. Recommended: 12 or more.',
  },
  maxLength: {
    ...{ label: 'Longest length', unit: 'characters', safe: '64' },
    phrase: (value) => `At most ${value} characters`,
    means: 'Recommended: off, so that nobody has to shorten a long password.',
  },
  digits: { label: 'Digits', unit: 'at least', safe: '1', means: 'Recommended: off. Long passwords do not need them.' },
  lowerCase: { label: 'Lower-case letters', unit: 'at least', safe: '1', means: 'Recommended: off.' },
  upperCase: { label: 'Upper-case letters', unit: 'at least', safe: '1', means: 'Recommended: off.' },
  specialChars: {
    ...{ label: 'Special characters', unit: 'at least', safe: '1' },
    means: 'Spaces, punctuation and anything else that is not a letter or a digit. Recommended: off.',
  },
  notUsername: {
    label: 'Not the user name',
    means: 'The user name is the first password that an attacker tries. Recommended: on.',
  },
  notContainsUsername: {
    label: 'Does not contain the user name',
    means: 'Stricter than the rule above. Recommended: on.',
  },
  notEmail: { label: 'Not the e-mail address', means: 'Other people know the address. Recommended: on.' },
  passwordHistory: {
    ...{ label: 'Not a previous password', unit: 'passwords', safe: '3' },
    phrase: (value) => `None of the last ${value} passwords`,
    means: 'The last passwords cannot be used again, because somebody may know them. Recommended: 3.',
  },
  forceExpiredPasswordChange: {
    ...{ label: 'Expires', unit: 'days', safe: '365' },
    phrase: (value) => `Expires after ${value} days`,
    means:
      'Recommended: off. People who must change their password often choose ones that are easy to guess from the last.',
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
  length: 'Shorter passwords are accepted, which are easier to guess.',
  passwordHistory: 'Previous passwords can be used again sooner.',
  forceExpiredPasswordChange: 'Passwords stay valid for longer.',
}

/** Sentences about what a change of the rules lets through that was refused before. */
export function weakenedRules(before: string, after: string): string[] {
  const [old, now] = [parseRules(before), parseRules(after)]
  if (now.length === 0)
    return old.length === 0 ? [] : ['Without rules, any password is accepted, even a single letter.']
  const gone = old.filter(({ name }) => !now.some((rule) => rule.name === name))
  const looser = ruleNames.filter((name) => {
    const [one, other] = [numberIn(old, name), numberIn(now, name)]
    if (one === undefined || other === undefined || name === 'maxLength') return false
    return stricterWithMore.includes(name) ? other < one : other > one
  })
  return [
    ...gone.filter(({ name }) => name !== 'maxLength').map((rule) => `No longer required: ${ruleText(rule)}.`),
    ...looser.map((name) => lessOf[name] ?? `Fewer are required: ${ruleWords[name].label.toLowerCase()}.`),
  ]
}
