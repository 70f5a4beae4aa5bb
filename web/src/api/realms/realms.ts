import { type EventSettings, events } from '@quayside/contract/events/endpoints'
import { type PersonalTokenSettings, personalTokens } from '@quayside/contract/personal-tokens/endpoints'
import {
  type BruteForceDetection,
  type LoginSettings,
  type OtpPolicy,
  realms,
  type SecurityHeaders,
} from '@quayside/contract/realms/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../../lib/api/api.ts'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'

const realmsKey = ['realms'] as const

/** A part of the settings: how it is read and how it is set as a whole. */
interface Part<T> {
  name: string
  read: (api: Api, signal: AbortSignal) => Promise<T>
  write: (api: Api, body: T) => Promise<T>
}

const passwordPart: Part<{ passwordPolicy: string }> = {
  name: 'password policy',
  read: (api, signal) => call(api, realms.passwordPolicy, { signal }),
  write: (api, body) => call(api, realms.setPasswordPolicy, { body }),
}
const otpPart: Part<OtpPolicy> = {
  name: 'one-time codes',
  read: (api, signal) => call(api, realms.otpPolicy, { signal }),
  write: (api, { otpPolicyDigits, ...body }) =>
    call(api, realms.setOtpPolicy, { body: { ...body, otpPolicyDigits: otpPolicyDigits === 8 ? 8 : 6 } }),
}
const loginPart: Part<LoginSettings> = {
  name: 'login settings',
  read: (api, signal) => call(api, realms.loginSettings, { signal }),
  write: (api, body) => call(api, realms.setLoginSettings, { body }),
}
const bruteForcePart: Part<BruteForceDetection> = {
  name: 'brute force detection',
  read: (api, signal) => call(api, realms.bruteForceDetection, { signal }),
  write: (api, body) => call(api, realms.setBruteForceDetection, { body }),
}
const headersPart: Part<SecurityHeaders> = {
  name: 'security headers',
  read: (api, signal) => call(api, realms.securityHeaders, { signal }),
  write: (api, body) => call(api, realms.setSecurityHeaders, { body }),
}
const eventsPart: Part<EventSettings> = {
  name: 'events',
  read: (api, signal) => call(api, events.eventSettings, { signal }),
  write: (api, body) => call(api, events.setEventSettings, { body }),
}

const tokensPart: Part<PersonalTokenSettings> = {
  name: 'personal tokens',
  read: (api, signal) => call(api, personalTokens.tokenSettings, { signal }),
  write: (api, body) => call(api, personalTokens.setTokenSettings, { body }),
}

function usePart<T>({ name, read, write }: Part<T>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  const queryKey = [...realmsKey, name]
  const query = useQuery({ queryKey, queryFn: ({ signal }) => read(api, signal) })
  const save = useMutation({
    mutationFn: (body: T) => write(api, body),
    onSuccess: (now) => queries.setQueryData(queryKey, now),
  })
  return { query, save }
}
/** A part of the settings as pages have it: `query.data` is what counts now, `save` sets all of it. */
export type RealmPart<T> = ReturnType<typeof usePart<T>>

export const usePasswordPolicy = () => usePart(passwordPart)
export const useOtpPolicy = () => usePart(otpPart)
export const useLoginSettings = () => usePart(loginPart)
export const useBruteForceDetection = () => usePart(bruteForcePart)
export const useSecurityHeaders = () => usePart(headersPart)
export const useEventSettings = () => usePart(eventsPart)
export const useTokenSettings = () => usePart(tokensPart)

export function useRequiredActions() {
  const { api, config } = usePortal()
  const { realm } = config.tenant
  return useQuery({
    queryKey: [...realmsKey, 'required actions'],
    queryFn: async ({ signal }) => (await call(api, realms.requiredActions, { signal, params: { realm } })).data,
  })
}
