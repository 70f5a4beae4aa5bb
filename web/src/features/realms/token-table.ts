import type { PersonalTokenSettings } from '@quayside/contract/personal-tokens/endpoints'
import { defaultLongestDays, tokenLimits } from '@quayside/contract/personal-tokens/limits'
import type { Setting } from './setting.ts'

/** Settings of the tokens that people make for their scripts. */
export const tokenTable: readonly Setting<PersonalTokenSettings>[] = [
  {
    ...{ kind: 'switch', key: 'enabled', label: 'Personal tokens', safe: true },
    means: 'People can use tokens in scripts instead of signing in. When off, tokens that exist stop within seconds.',
    warns: (next: boolean) => (next ? undefined : 'Scripts that use personal tokens stop working.'),
  },
  {
    ...{ kind: 'number', key: 'longestDays', label: 'Longest life in days', safe: defaultLongestDays },
    limits: { least: 1, most: tokenLimits.days },
    means: 'Counted from when a token was made. A shorter one ends older tokens too, for good.',
    shown: ({ enabled }) => enabled,
    warns: (next: number, before: number) =>
      next > before ? 'A token that somebody else has found can be misused for longer.' : undefined,
  },
]
