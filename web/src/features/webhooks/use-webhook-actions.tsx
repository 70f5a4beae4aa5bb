import type { Webhook } from '@quayside/contract/webhooks/endpoints'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconPower from '@tabler/icons-react/dist/esm/icons/IconPower.mjs'
import IconSend from '@tabler/icons-react/dist/esm/icons/IconSend.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type ReactNode, useState } from 'react'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useDeleteWebhook, useSaveWebhook, useTestWebhook } from '../../api/webhooks.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import type { Right } from '../../ui/actions/explain.ts'
import type { MenuEntry } from '../../ui/actions/row-menu.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { inputOf } from './webhook-form.ts'

/** Actions on a webhook, and the dialog that they open. */
export function useWebhookActions(): {
  entriesOf: (webhook: Webhook) => (MenuEntry & { right: Right })[]
  dialog: ReactNode
} {
  const [edited, setEdited] = useState<Webhook>()
  const guard = useGuard()
  const confirm = useConfirm()
  const [save, removal, test] = [useSaveWebhook(), useDeleteWebhook(), useTestWebhook()]
  const told = (title: string) => (error: Error) => void confirm({ type: 'alert', title, message: error.message })

  const send = ({ id }: Webhook) =>
    test.mutate(id, {
      onSuccess: ({ state, says }) =>
        void confirm({
          type: 'alert',
          title: state === 'delivered' ? 'Test delivered' : 'Test not delivered',
          message: says,
        }),
      onError: told('Not sent'),
    })
  const toggle = (webhook: Webhook) =>
    save.mutate(
      { id: webhook.id, body: { ...inputOf(webhook), enabled: !webhook.enabled } },
      { onError: told('Not saved') },
    )
  async function remove({ id, name }: Webhook) {
    const message = `Delete ${name}? Waiting messages will not be sent.`
    if (await confirm({ title: 'Delete webhook', message, danger: true }))
      removal.mutate(id, { onError: told('Not deleted') })
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
