import type { PolicyRule } from '../directory/password-policy.ts'

const many = (value: string, fallback: number, one: string, more: string) => {
  const count = Number(value) || fallback
  return `${count} ${count === 1 ? one : more}`
}

const words: Readonly<Record<string, (value: string) => string>> = {
  length: (value) => `At least ${many(value, 8, 'character', 'characters')}`,
  maxLength: (value) => `At most ${many(value, 64, 'character', 'characters')}`,
  digits: (value) => `At least ${many(value, 1, 'digit', 'digits')}`,
  lowerCase: (value) => `At least ${many(value, 1, 'lower-case letter', 'lower-case letters')}`,
  upperCase: (value) => `At least ${many(value, 1, 'upper-case letter', 'upper-case letters')}`,
  specialChars: (value) => `At least ${many(value, 1, 'special character', 'special characters')}`,
  notUsername: () => 'Not your user name',
  notContainsUsername: () => 'Without your user name in it',
  notEmail: () => 'Not your e-mail address',
  passwordHistory: (value) => `None of your last ${many(value, 3, 'password', 'passwords')}`,
}

/** The policy as short lines for the person who has to satisfy it. */
export function describeRules(rules: readonly PolicyRule[]): string[] {
  return rules.flatMap(({ name, value }) => {
    const describe = words[name]
    return describe ? [describe(value)] : []
  })
}
