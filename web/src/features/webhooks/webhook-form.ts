import type { SavedWebhook, Webhook } from '@quayside/contract/webhooks/endpoints'
import { type WebhookEvent, webhookSecretProblem, webhookUrlProblem } from '@quayside/contract/webhooks/rules'
import { useState } from 'react'
import { useSaveWebhook, type WebhookBody } from '../../api/webhooks.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import type { Signing } from './webhook-words.ts'

interface Typed {
  name: string
  url: string
  signing: Signing
  secret: string
  events: readonly WebhookEvent[]
  spaceIds: readonly string[] | null
  enabled: boolean
}

const start: Typed = {
  ...{ name: '', url: '', signing: 'generate', secret: '', events: ['action-failed', 'app-health'] },
  ...{ spaceIds: null, enabled: true },
}

/** A webhook as it is, to be saved again with its secret. */
const inputOf = ({ name, url, isSigned, events, spaces, enabled }: Webhook) => ({
  ...{ name, url, signing: isSigned ? ('keep' as const) : ('none' as const), events, enabled },
  spaceIds: spaces?.map(({ id }) => id) ?? null,
})

/** Fields of a webhook as somebody types them, and what the server says to them. */
export function useWebhookForm(webhook: Webhook | undefined) {
  const [typed, setTyped] = useState<Typed>(webhook === undefined ? start : { ...inputOf(webhook), secret: '' })
  const [asked, setAsked] = useState(false)
  const save = useSaveWebhook()
  const refused = save.error instanceof ApiError ? save.error : undefined
  const problems = problemsOf(typed)
  const refusedField = refused?.field?.split('.')[0]
  const explaining = ['name', 'url', 'events', 'spaceIds', ...(typed.signing === 'typed' ? ['secret'] : [])]
  return {
    ...{ typed, save },
    /** A field that is drawn says it. */
    isExplained: refusedField !== undefined && explaining.includes(refusedField),
    problemOf(name: keyof Typed): string | undefined {
      if (asked && problems[name] !== undefined) return problems[name]
      return refusedField === name ? refused?.message : undefined
    },
    change(part: Partial<Typed>) {
      save.reset()
      setTyped({ ...typed, ...part })
    },
    submit(onSaved: (saved: SavedWebhook) => void) {
      setAsked(true)
      if (Object.keys(problems).length === 0)
        save.mutate({ id: webhook?.id, body: bodyOf(typed) }, { onSuccess: onSaved })
    },
  }
}
export type WebhookForm = ReturnType<typeof useWebhookForm>

function bodyOf({ secret, events, spaceIds, ...typed }: Typed): WebhookBody {
  return {
    ...{ ...typed, name: typed.name.trim(), url: typed.url.trim(), events: [...events] },
    spaceIds: spaceIds && [...spaceIds],
    ...(typed.signing === 'typed' ? { secret: secret.trim() } : {}),
  }
}

function problemsOf({ name, url, signing, secret, events, spaceIds }: Typed): Partial<Record<keyof Typed, string>> {
  const address = problemOf('address', url.trim(), webhookUrlProblem)
  const typedSecret = problemOf('signing secret', secret.trim(), webhookSecretProblem)
  return {
    ...(name.trim() === '' ? { name: 'Name required' } : {}),
    ...(address === undefined ? {} : { url: address }),
    ...(signing === 'typed' && typedSecret !== undefined ? { secret: typedSecret } : {}),
    ...(events.length === 0 ? { events: 'Choose at least one' } : {}),
    ...(spaceIds?.length === 0 ? { spaceIds: 'Choose at least one space' } : {}),
  }
}

/** A sentence about what is typed into a field that must not be empty. */
function problemOf(what: string, text: string, fault: (text: string) => string | undefined): string | undefined {
  if (text === '') return `${what.charAt(0).toUpperCase()}${what.slice(1)} required`
  const end = fault(text)
  return end && `The ${what} ${end}.`
}
