/** One rule of a password policy; the value is empty where the rule has none. */
export interface PasswordRule {
  name: string
  value: string
}

/** A person for whom a password is tried. */
interface Subject {
  username: string
  email: string
}

/** Answer of a rule about a password: `later` is for what only the identity server can say. */
export type Verdict = 'met' | 'broken' | 'later'

/** Longest password that anybody can have. */
export const longestPassword = 256

const countOf = (pattern: RegExp) => (password: string) => password.match(pattern)?.length ?? 0
const digits = countOf(/\p{Nd}/gu)
const lowerCase = countOf(/\p{Ll}/gu)
const upperCase = countOf(/\p{Lu}/gu)
const specialChars = countOf(/[^\p{L}\p{N}]/gu)

type Judge = (password: string, value: number, who: Subject) => boolean

/** Whole numbers that a rule takes, and the one that Keycloak assumes where none stands. */
interface Counted {
  least: number
  most: number
  assumed: number
}

interface Rule {
  /** Undefined for a rule that only the identity server can look at. */
  judge?: Judge
  counts?: Counted
}

const some = { least: 1, most: 64, assumed: 1 }
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

/** The rules that the portal knows; others are kept as they are written, for the identity server to judge. */
const knownRules = {
  length: {
    counts: { least: 1, most: longestPassword, assumed: 8 },
    judge: (password, value) => [...password].length >= value,
  },
  maxLength: {
    counts: { least: 1, most: longestPassword, assumed: 64 },
    judge: (password, value) => [...password].length <= value,
  },
  digits: { counts: some, judge: (password, value) => digits(password) >= value },
  lowerCase: { counts: some, judge: (password, value) => lowerCase(password) >= value },
  upperCase: { counts: some, judge: (password, value) => upperCase(password) >= value },
  specialChars: { counts: some, judge: (password, value) => specialChars(password) >= value },
  notUsername: { judge: (password, _, { username }) => username === '' || !same(password, username) },
  notContainsUsername: {
    judge: (password, _, { username }) => username === '' || !password.toLowerCase().includes(username.toLowerCase()),
  },
  notEmail: { judge: (password, _, { email }) => email === '' || !same(password, email) },
  passwordHistory: { counts: { least: 1, most: 24, assumed: 3 } },
  forceExpiredPasswordChange: { counts: { least: 1, most: 3650, assumed: 365 } },
} as const satisfies Record<string, Rule>
export type RuleName = keyof typeof knownRules

export const ruleNames = Object.keys(knownRules) as readonly RuleName[]
export const isKnownRule = (name: string): name is RuleName => Object.hasOwn(knownRules, name)

/** How the rule counts; undefined for a rule without a number. */
export const countsOf = (name: RuleName): Counted | undefined => {
  const rule: Rule = knownRules[name]
  return rule.counts
}

const between = /\s+and\s+/

/** Splits `length(8) and digits and notUsername(undefined)` into its rules. */
export function parseRules(text: string): PasswordRule[] {
  return text
    .split(between)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = part, value = ''] = /^(\w+)(?:\((.*)\))?$/s.exec(part) ?? []
      return { name, value: value === 'undefined' ? '' : value }
    })
}

/** The rules in Keycloak's text, which writes `undefined` for a rule without a value. */
export const formatRules = (rules: readonly PasswordRule[]): string =>
  rules.map(({ name, value }) => `${name}(${value === '' ? 'undefined' : value})`).join(' and ')

const kindsOfCharacters = ['digits', 'lowerCase', 'upperCase', 'specialChars']

/** The reason for which a text is no password policy; undefined when it is one. */
export function rulesProblem(text: string): string | undefined {
  const rules = parseRules(text)
  const seen = new Set<string>()
  for (const { name, value } of rules) {
    if (!/^\w+$/.test(name)) return `${name.slice(0, 40)} is no rule: a rule is written as length(8)`
    if (seen.has(name)) return `${name} stands twice`
    seen.add(name)
    const counts = isKnownRule(name) ? countsOf(name) : undefined
    if (counts === undefined || value === '') continue
    const number = Number(value)
    if (!/^\d+$/.test(value) || number < counts.least || number > counts.most)
      return `${name} takes a whole number from ${counts.least} to ${counts.most}`
  }
  const [least, most] = [numberIn(rules, 'length'), numberIn(rules, 'maxLength')]
  if (most === undefined) return undefined
  if (least !== undefined && least > most) return 'length is more than maxLength'
  const needed = kindsOfCharacters.map((name) => rules.find((rule) => rule.name === name))
  const characters = needed.reduce((sum, rule) => sum + (rule ? Number(rule.value) || 1 : 0), 0)
  return characters > most ? `${kindsOfCharacters.join(', ')} ask for more characters than maxLength allows` : undefined
}

/** The number of a rule; undefined where the rule is not there or has none. */
export function numberIn(rules: readonly PasswordRule[], name: RuleName): number | undefined {
  const rule = rules.find((each) => each.name === name)
  const counts = countsOf(name)
  if (rule === undefined || counts === undefined) return undefined
  return Number(rule.value) || counts.assumed
}

/** Tells what a rule says about a password, without asking anybody. */
export function judge(rule: PasswordRule, password: string, who: Subject): Verdict {
  if (!isKnownRule(rule.name)) return 'later'
  const { judge: judged, counts }: Rule = knownRules[rule.name]
  if (judged === undefined) return 'later'
  return judged(password, Number(rule.value) || (counts?.assumed ?? 0), who) ? 'met' : 'broken'
}
