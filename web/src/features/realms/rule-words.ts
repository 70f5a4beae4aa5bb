import {
  numberIn,
  type PasswordRule,
  parseRules,
  type RuleName,
  ruleNames,
} from '@quayside/contract/realms/password-rules'

interface RuleWords {
  label: string
  /** Unit beside the number; undefined for a rule without one. */
  unit?: string
  means: string
  /** The number that is safe where the rule is used. */
  safe?: string
}

/** Rules in plain words. */
export const ruleWords: Readonly<Record<RuleName, RuleWords>> = {
  length: {
    ...{ label: 'At least as long as', unit: 'characters', safe: '12' },
    means: 'Length keeps guessers away better than any other rule. Safe: 12 or more.',
  },
  maxLength: {
    ...{ label: 'At most as long as', unit: 'characters', safe: '64' },
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
    ...{ label: 'None of the last', unit: 'passwords', safe: '3' },
    means: 'Nobody goes back to a password that may have become known. Safe: 3.',
  },
  forceExpiredPasswordChange: {
    ...{ label: 'Changed after', unit: 'days', safe: '365' },
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

/** 'At least as long as 12 characters', 'Not the user name'; a rule that is not known as it is written. */
export function ruleText({ name, value }: PasswordRule): string {
  const words = ruleWords[name as RuleName] as RuleWords | undefined
  if (words === undefined) return value === '' ? name : `${name}(${value})`
  if (words.unit === undefined) return words.label
  return words.unit === 'at least' ? `${words.label}: at least ${value}` : `${words.label} ${value} ${words.unit}`
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
