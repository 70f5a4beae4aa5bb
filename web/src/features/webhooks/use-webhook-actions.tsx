import type { Webhook } from '@quayside/contract/webhooks/endpoints'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPower from '@tabler/icons-react/dist/esm/icons/IconPower.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type ReactNode, useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useDeleteWebhook, useSwitchWebhook, useTestWebhook } from '../../api/webhooks.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import type { Right } from '../../ui/actions/explain.ts'
import type { MenuEntry } from '../../ui/actions/row-menu.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { WebhookDialog } from './webhook-dialog.tsx'

/** Actions on a webhook, and the dialog that they open. */
export function useWebhookActions(): {
  entriesOf: (webhook: Webhook) => (MenuEntry & { right: Right })[]
  dialog: ReactNode
} {
  const [edited, setEdited] = useState<Webhook>()
  const guard = useGuard()
  const confirm = useConfirm()
  const [power, removal, test] = [useSwitchWebhook(), useDeleteWebhook(), useTestWebhook()]
  const tell = useTellFailure()

  const send = ({ id }: Webhook) =>
    test.mutate(id, {
      onSuccess: ({ state, says }) =>
        void confirm({
          type: 'alert',
          title: state === 'delivered' ? 'Test delivered' : 'Test not delivered',
          message: says,
        }),
      onError: tell('Not sent'),
    })
  const toggle = (webhook: Webhook) =>
    power.mutate({ id: webhook.id, enabled: !webhook.enabled }, { onError: tell('Not saved') })
  async function remove({ id, name }: Webhook) {
    const message = `Delete ${name}? Waiting messages will not be sent.`
    if (await confirm({ title: 'Delete webhook', message, danger: true }))
      removal.mutate(id, { onError: tell('Not deleted') })
  }

  const entriesOf = (webhook: Webhook) => {
    const right = guard('webhooks.manage', `change the webhook ${webhook.name}`)
    return [
      { label: 'Send a test', icon: IconSend, onSelect: () => send(webhook), right },
      { label: 'Edit', icon: IconPencil, onSelect: () => setEdited(webhook), right },
      {
        label: webhook.enabled ? 'Switch off' : 'Switch on',
        ...{ icon: IconPower, onSelect: () => toggle(webhook), right },
      },
      { label: 'Delete', icon: IconTrash, danger: true, onSelect: () => void remove(webhook), right },
    ]
  }
  const dialog = edited === undefined ? null : <WebhookDialog webhook={edited} onClose={() => setEdited(undefined)} />
  return { entriesOf, dialog }
}
