import { useId } from 'react'
import { useCurrency, useSetCurrency } from '../../api/account.ts'
import { currencies } from '../../lib/currencies.ts'
import { Select } from '../../ui/forms/select.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import styles from './appearance.module.css'

/** The currency that amounts of money are shown in, for this person everywhere. */
export function Currency() {
  const id = useId()
  const chosen = useCurrency()
  const choose = useSetCurrency()
  if (chosen.error !== null && chosen.data === undefined)
    return <ErrorPanel error={chosen.error} name="Currency" onRetry={() => void chosen.refetch()} />
  return (
    <Panel title="Currency">
      {chosen.data === undefined ? (
        <Loading />
      ) : (
        <>
          <label htmlFor={id} className="unseen">
            Currency
          </label>
          <Select
            id={id}
            value={(choose.isPending ? choose.variables : chosen.data.currency) ?? ''}
            disabled={choose.isPending}
            onChange={(event) => choose.mutate(event.target.value || null)}
          >
            <option value="">None chosen</option>
            {currencies().map(({ code, name }) => (
              <option key={code} value={code}>
                {`${name} (${code})`}
              </option>
            ))}
          </Select>
          {choose.error !== null && <ErrorPanel error={choose.error} name="Currency" />}
          <p className={styles.note}>
            <bdi>
              Kept with your account. From your next sign-in on, apps read it in the claim currency of your token.
            </bdi>
          </p>
        </>
      )}
    </Panel>
  )
}
