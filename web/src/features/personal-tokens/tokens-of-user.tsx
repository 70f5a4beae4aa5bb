import type { PersonalToken } from '@quayside/contract/personal-tokens/endpoints'
import { useGuard } from '../../api/permissions/my-scopes.ts'
import { useDeleteTokenOf, useTokensOf } from '../../api/personal-tokens.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { TokenTable } from './token-table.tsx'
import styles from './tokens.module.css'

/** Tokens that a user has made for their scripts. */
export function TokensOfUser({ id, name }: { id: string; name: string }) {
  const tokens = useTokensOf(id)
  const remove = useDeleteTokenOf(id)
  const confirm = useConfirm()
  const right = useGuard()('user.credentials', `delete tokens of ${name}`)
  const ask = async (token: PersonalToken) => {
    const message = `Delete ${token.name} of ${name}? Scripts that use it stop within seconds. This cannot be undone.`
    if (await confirm({ title: 'Delete token', message, danger: true })) remove.mutate(token.id)
  }
  return (
    <section aria-label="Personal tokens" className={styles.tokens}>
      <h2>Personal tokens</h2>
      {remove.error !== null && <ErrorPanel error={remove.error} name="Delete token" />}
      <TokenTable
        tokens={tokens.data?.data}
        error={tokens.error}
        onRetry={() => void tokens.refetch()}
        right={right}
        onDelete={(token) => void ask(token)}
        emptyText="This user has made no tokens for scripts."
      />
    </section>
  )
}
