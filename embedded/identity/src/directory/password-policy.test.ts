import { describe, expect, test } from 'vitest'
import { checkPolicyText, expiryDays, historyLength, parsePolicy, policyProblem } from './password-policy.ts'

const who = { username: 'mara', email: 'mara@demo.example' }

describe('the password policy', () => {
  test('is read from Keycloak’s text', () => {
    expect(parsePolicy('length(8) and digits and notUsername(undefined)')).toEqual([
      { name: 'length', value: '8' },
      { name: 'digits', value: '' },
      { name: 'notUsername', value: 'undefined' },
    ])
    expect(parsePolicy(undefined)).toEqual([])
    expect(historyLength('passwordHistory(5)')).toBe(5)
    expect(expiryDays('length(8) and forceExpiredPasswordChange(90)')).toBe(90)
  })

  test.each([
    ['length(8)', 'seven77', 'invalidPasswordMinLengthMessage'],
    ['maxLength(5)', 'sixsix', 'invalidPasswordMaxLengthMessage'],
    ['digits(2)', 'only 1', 'invalidPasswordMinDigitsMessage'],
    ['upperCase(1)', 'lower', 'invalidPasswordMinUpperCaseCharsMessage'],
    ['lowerCase(1)', 'UPPER', 'invalidPasswordMinLowerCaseCharsMessage'],
    ['specialChars(1)', 'plain1', 'invalidPasswordMinSpecialCharsMessage'],
    ['notUsername(undefined)', 'MARA', 'invalidPasswordNotUsernameMessage'],
    ['notContainsUsername(undefined)', 'xxmaraxx', 'invalidPasswordNotContainsUsernameMessage'],
    ['notEmail(undefined)', 'mara@demo.example', 'invalidPasswordNotEmailMessage'],
    ['regexPattern([a-z]+)', 'abc1', 'invalidPasswordRegexPatternMessage'],
    ['', '', 'invalidPasswordMinLengthMessage'],
    ['', 'x'.repeat(257), 'invalidPasswordMaxLengthMessage'],
  ])('%s refuses %s', (policy, password, error) => {
    expect(policyProblem(policy, password, who)?.body).toMatchObject({ error })
  })

  test('counts letters of any script and whole characters', () => {
    expect(policyProblem('length(4) and upperCase(1) and lowerCase(1)', 'Жужа', who)).toBeUndefined()
    expect(policyProblem('length(4)', '🚢🚢🚢', who)?.body.error).toBe('invalidPasswordMinLengthMessage')
  })

  test('gives up a pattern that runs long, and counts it as not met', () => {
    const start = performance.now()
    expect(policyProblem('regexPattern((a+)+b)', 'a'.repeat(200), who)?.body).toMatchObject({
      error: 'invalidPasswordRegexPatternMessage',
    })
    expect(performance.now() - start).toBeLessThan(5000)
  })

  test.each([
    ...['unheard(1)', 'length(eight)', 'regexPattern([)', 'digits(-1)', 'length(300)'],
    ...['hashIterations(5)', 'hashAlgorithm(pbkdf2)', 'length(8) and passwordAge(30)'],
  ])('the text %s is refused', (text) => {
    expect(() => checkPolicyText(text)).toThrow()
  })
})
