/** The Keycloak release whose wire behaviour is answered here. */
const VERSION = '26.7.4'
const startedAt = Date.now()

export function serverInfo(): Record<string, unknown> {
  const { heapTotal, heapUsed } = process.memoryUsage()
  return {
    systemInfo: {
      version: VERSION,
      serverTime: new Date().toISOString(),
      uptimeMillis: Date.now() - startedAt,
      osName: process.platform,
      osArchitecture: process.arch,
    },
    memoryInfo: {
      total: heapTotal,
      used: heapUsed,
      free: heapTotal - heapUsed,
      freePercentage: Math.round((1 - heapUsed / heapTotal) * 100),
    },
    profileInfo: { name: 'embedded', disabledFeatures: [], previewFeatures: [], experimentalFeatures: [] },
    features: [],
    passwordPolicies: [
      ['length', 'Minimum Length', 'int', '8'],
      ['maxLength', 'Maximum Length', 'int', '64'],
      ['digits', 'Digits', 'int', '1'],
      ['lowerCase', 'Lowercase Characters', 'int', '1'],
      ['upperCase', 'Uppercase Characters', 'int', '1'],
      ['specialChars', 'Special Characters', 'int', '1'],
      ['notUsername', 'Not Username', '', ''],
      ['notContainsUsername', 'Not Contains Username', '', ''],
      ['notEmail', 'Not Email', '', ''],
      ['passwordHistory', 'Not Recently Used', 'int', '3'],
      ['forceExpiredPasswordChange', 'Expire Password', 'int', '365'],
      ['regexPattern', 'Regular Expression', 'String', ''],
    ].map(([id, displayName, configType, defaultValue]) => ({
      id,
      displayName,
      configType,
      defaultValue,
      multipleSupported: id === 'regexPattern',
    })),
  }
}
