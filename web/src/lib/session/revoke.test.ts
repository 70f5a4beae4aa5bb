import { afterEach, expect, it, vi } from 'vitest'
import { revokeTokens } from './revoke.ts'

afterEach(() => vi.restoreAllMocks())

it('revokes tokens in the order that is asked for', async () => {
  const asked: string[] = []
  const manager = { revokeTokens: async (kinds?: string[]) => void asked.push(...(kinds ?? [])) }
  await revokeTokens(manager, ['refresh_token', 'access_token'])
  expect(asked).toEqual(['refresh_token', 'access_token'])
})

it('tries twice more, then says so and goes on', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const asked: string[] = []
  await revokeTokens(
    {
      revokeTokens: async (kinds) => {
        asked.push(...(kinds ?? []))
        throw new Error('503')
      },
    },
    ['refresh_token', 'access_token'],
  )
  expect(asked).toEqual([...Array(3).fill('refresh_token'), ...Array(3).fill('access_token')])
  expect(warn).toHaveBeenCalledWith('Revocation request failed', 'refresh_token', expect.any(Error))
})
