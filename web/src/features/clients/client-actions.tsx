import type { ClientDetail } from '@quayside/contract/clients/administration'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useNavigate } from '@tanstack/react-router'
import { useDeleteApplication, useDeleteClient, useRenewSecret, useUpdateClient } from '../../api/clients.ts'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { SecretDialog } from './secret-dialog.tsx'

/** Actions on a client as a whole; nothing with one that the portal needs. */
export function ClientActions({ client }: { client: ClientDetail }) {
  if (client.keptBecause !== null) return null
  return (
    <>
      <Toggle client={client} />
      {!client.isPublic && <NewSecret client={client} />}
      <Delete client={client} />
    </>
  )
}

function Toggle({ client }: { client: ClientDetail }) {
  const { clientId, enabled } = client
  const right = useGuard()('client.edit', `${enabled ? 'disable' : 'enable'} ${clientId}`)
  const confirm = useConfirm()
  const tell = useTellFailure()
  const update = useUpdateClient(client.id)
  const toggle = async () => {
    const message = `Nobody can sign in with ${clientId}, and its tokens are not renewed, until it is enabled again.`
    if (enabled && !(await confirm({ title: 'Disable', message, danger: true }))) return
    update.mutate({ enabled: !enabled }, { onError: tell('Not changed') })
  }
  return (
    <GuardedButton {...right} busy={update.isPending} onClick={() => void toggle()}>
      {enabled ? 'Disable' : 'Enable'}
    </GuardedButton>
  )
}

function NewSecret({ client }: { client: ClientDetail }) {
  const { clientId } = client
  const right = useGuard()('client.secret', `give ${clientId} another secret`)
  const confirm = useConfirm()
  const tell = useTellFailure()
  const renew = useRenewSecret()
  const ask = async () => {
    const message = `The secret of ${clientId} ends at once: whatever uses it cannot sign in until it has the new one.`
    if (await confirm({ title: 'New secret', message, danger: true }))
      renew.mutate(client.id, { onError: tell('No new secret') })
  }
  return (
    <>
      <GuardedButton {...right} busy={renew.isPending} onClick={() => void ask()}>
        New secret
      </GuardedButton>
      {renew.data !== undefined && <SecretDialog {...renew.data} onClose={renew.reset} />}
    </>
  )
}

function Delete({ client }: { client: ClientDetail }) {
  const { clientId, kind } = client
  const isScript = kind === 'script'
  const right = useGuard()(isScript ? 'script.delete' : 'client.delete', `delete ${clientId}`)
  const confirm = useConfirm()
  const tell = useTellFailure()
  const navigate = useNavigate()
  const [application, script] = [useDeleteApplication(client.id), useDeleteClient()]
  const ask = async () => {
    const message = `Delete ${clientId}? ${isScript ? 'Scripts that use it can no longer sign in.' : 'Nobody can sign in to it any more, and its roles go with it.'} This cannot be taken back.`
    if (!(await confirm({ title: 'Delete client', message, danger: true }))) return
    const ended = {
      onSuccess: () => void navigate({ to: '/users/service-accounts', search: isScript ? {} : { tab: 'clients' } }),
      onError: tell('Not deleted'),
    }
    if (isScript) script.mutate(client.id, ended)
    else application.mutate(undefined, ended)
  }
  return (
    <GuardedButton
      {...right}
      icon={IconTrash}
      busy={application.isPending || script.isPending}
      onClick={() => void ask()}
    >
      Delete
    </GuardedButton>
  )
}
