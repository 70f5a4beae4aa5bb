import type { PersonalToken } from '@quayside/contract/personal-tokens/endpoints'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useState } from 'react'
import { useDeleteToken, useOwnTokens } from '../../api/personal-tokens.ts'
import { Button } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { TokenTable } from './token-table.tsx'
import styles from './tokens.module.css'

/** The person's own tokens for scripts. */
export function OwnTokens() {
  const tokens = useOwnTokens()
  const remove = useDeleteToken()
  const confirm = useConfirm()
  const [isMaking, setMaking] = useState(false)
  const settings = tokens.data?.settings
  const ask = async ({ id, name }: PersonalToken) => {
    const message = `Delete ${name}? Scripts that use it stop within seconds. This cannot be undone.`
    if (await confirm({ title: 'Delete token', message, danger: true })) remove.mutate(id)
  }
  return (
    <section aria-label="Personal tokens" className={styles.tokens}>
      <header className={styles.head}>
        <h2>Personal tokens</h2>
        {settings?.enabled === true && (
          <Button small icon={IconPlus} onClick={() => setMaking(true)}>
            New token
          </Button>
        )}
      </header>
      {settings?.enabled === false && (
        <p className={styles.note}>
          <bdi>
            Personal tokens are switched off in this tenant. None of yours works until they are switched on again.
          </bdi>
        </p>
      )}
      {remove.error !== null && <ErrorPanel error={remove.error} name="Delete token" />}
      <TokenTable
        tokens={tokens.data?.data}
        error={tokens.error}
        onRetry={() => void tokens.refetch()}
        onDelete={(token) => void ask(token)}
        emptyText="A token lets a script work as you, for a limited time and, if you like, only in some spaces."
      />
      {isMaking && settings !== undefined && (
        <TokenDialog longestDays={settings.longestDays} onClose={() => setMaking(false)} />
      )}
    </section>
  )
}
