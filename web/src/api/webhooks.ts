import { webhooks } from '@quayside/contract/webhooks/endpoints'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Api } from '../lib/api/api.ts'
import { usePortal } from '../lib/portal.tsx'
import { call, type InputOf } from './client.ts'
import { useLive } from './live.ts'

const webhooksKey = ['webhooks'] as const

/** Every webhook of the tenant, read again as messages are sent. */
export function useWebhooks() {
  const { api } = usePortal()
  useLive({ topic: 'webhooks' }, webhooksKey)
  return useQuery({
    queryKey: [...webhooksKey, 'list'],
    queryFn: async ({ signal }) => (await call(api, webhooks.listWebhooks, { signal })).data,
  })
}

/** The newest deliveries of a webhook. */
export function useDeliveries(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...webhooksKey, 'deliveries', id],
    queryFn: async ({ signal }) => (await call(api, webhooks.listDeliveries, { params: { id }, signal })).data,
  })
}

/** Changes webhooks, and has them read again, also when the server refuses. */
function useWebhookChange<Input, Reply>(run: (api: Api, input: Input) => Promise<Reply>) {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: Input) => run(api, input),
    onSettled: () => void queries.invalidateQueries({ queryKey: webhooksKey }),
  })
}

export type WebhookBody = InputOf<typeof webhooks.addWebhook>['body']

/** Changes the webhook with this id; without one, adds a webhook. */
export const useSaveWebhook = () =>
  useWebhookChange((api, { id, body }: { id: string | undefined; body: WebhookBody }) =>
    id === undefined
      ? call(api, webhooks.addWebhook, { body })
      : call(api, webhooks.changeWebhook, { params: { id }, body }),
  )

/** Switches the webhook on or off; nothing else of it is sent, as somebody else may have changed it meanwhile. */
export const useSwitchWebhook = () =>
  useWebhookChange((api, { id, enabled }: { id: string; enabled: boolean }) =>
    call(api, webhooks.switchWebhook, { params: { id }, body: { enabled } }),
  )

export const useDeleteWebhook = () =>
  useWebhookChange((api, id: string) => call(api, webhooks.deleteWebhook, { params: { id } }))

/** Sends a test, and gives what the receiver answers. */
export const useTestWebhook = () =>
  useWebhookChange((api, id: string) => call(api, webhooks.testWebhook, { params: { id } }))
