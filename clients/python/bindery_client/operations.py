"""The operations of the API. Made from docs/openapi.json by "npm run openapi"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Union, cast
from urllib.parse import quote

from . import shapes as t
from .files import File


def _path(pattern: str, **values: str) -> str:
    return pattern.format(**{name: quote(value, safe="") for name, value in values.items()})


class Operations:
    """A method for each operation; how a call is sent is for the client that extends it."""

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        body: Any = None,
        idempotency_key: str | None = None,
        has_key: bool = False,
        if_match: str | None = None,
        accept: str = "",
        timeout_s: float = 60.0,
    ) -> Any:
        raise NotImplementedError

    def _rows(self, path: str, query: dict[str, Any]) -> Iterator[Any]:
        cursor: str | None = None
        while True:
            page = self._send("GET", path, query={**query, "cursor": cursor})
            yield from page["data"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def create_submission(self, body: t.SubmissionCreate | File, *, idempotency_key: str | None = None) -> t.SubmissionDetail:
        """Submit a risk: `POST /v1/submissions`."""
        return cast("t.SubmissionDetail", self._send("POST", "/v1/submissions", body=body, idempotency_key=idempotency_key, has_key=True, timeout_s=390.0))

    def list_submissions(self, *, limit: int | None = None, cursor: str | None = None, sort: t.SubmissionSort | None = None, expand: Literal['quote'] | None = None, status: t.SubmissionStatus | None = None, producer_id: t.ProducerId | None = None, line_of_business: t.LineOfBusiness | None = None, state: t.State | None = None, q: str | None = None, created_from: t.BusinessDate | None = None, created_to: t.BusinessDate | None = None) -> t.SubmissionPage:
        """List submissions: `GET /v1/submissions`."""
        return cast("t.SubmissionPage", self._send("GET", "/v1/submissions", query={"limit": limit, "cursor": cursor, "sort": sort, "expand": expand, "status": status, "producerId": producer_id, "lineOfBusiness": line_of_business, "state": state, "q": q, "createdFrom": created_from, "createdTo": created_to}))

    def iterate_submissions(self, *, limit: int | None = None, sort: t.SubmissionSort | None = None, expand: Literal['quote'] | None = None, status: t.SubmissionStatus | None = None, producer_id: t.ProducerId | None = None, line_of_business: t.LineOfBusiness | None = None, state: t.State | None = None, q: str | None = None, created_from: t.BusinessDate | None = None, created_to: t.BusinessDate | None = None) -> Iterator[t.ListedSubmission]:
        """Every row, page by page. List submissions: `GET /v1/submissions`."""
        return self._rows("/v1/submissions", {"limit": limit, "sort": sort, "expand": expand, "status": status, "producerId": producer_id, "lineOfBusiness": line_of_business, "state": state, "q": q, "createdFrom": created_from, "createdTo": created_to})

    def get_submission(self, id: t.SubmissionId) -> t.SubmissionDetail:
        """Read a submission with its triage and its latest quote: `GET /v1/submissions/{id}`."""
        return cast("t.SubmissionDetail", self._send("GET", _path("/v1/submissions/{id}", id=id)))

    def correct_submission(self, id: t.SubmissionId, body: t.SubmissionChanges | None = None, *, if_match: str | None = None) -> t.SubmissionDetail:
        """Complete or correct a submission while it is open: `PATCH /v1/submissions/{id}`."""
        return cast("t.SubmissionDetail", self._send("PATCH", _path("/v1/submissions/{id}", id=id), body=body, if_match=if_match))

    def withdraw_submission(self, id: t.SubmissionId, body: t.Withdraw | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.SubmissionDetail:
        """Withdraw a submission: `POST /v1/submissions/{id}/withdraw`."""
        return cast("t.SubmissionDetail", self._send("POST", _path("/v1/submissions/{id}/withdraw", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def decline_submission(self, id: t.SubmissionId, body: t.Decline, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.SubmissionDetail:
        """Decline a submission: `POST /v1/submissions/{id}/decline`."""
        return cast("t.SubmissionDetail", self._send("POST", _path("/v1/submissions/{id}/decline", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def quote_submission(self, id: t.SubmissionId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Quote:
        """Rate a submission and issue a quote: `POST /v1/submissions/{id}/quote`."""
        return cast("t.Quote", self._send("POST", _path("/v1/submissions/{id}/quote", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def preview_quote_submission(self, id: t.SubmissionId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.QuotePreview:
        """What would happen; nothing is written. Rate a submission and issue a quote: `POST /v1/submissions/{id}/quote`."""
        return cast("t.QuotePreview", self._send("POST", _path("/v1/submissions/{id}/quote", id=id), query={"preview": True}, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def read_quote_readiness(self, id: t.SubmissionId) -> t.QuoteReadiness:
        """Read the triage score and what prevents a bind: `GET /v1/submissions/{id}/quote-readiness`."""
        return cast("t.QuoteReadiness", self._send("GET", _path("/v1/submissions/{id}/quote-readiness", id=id)))

    def bind_submission(self, id: t.SubmissionId, body: t.Bind, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.BoundPolicy:
        """Bind the quote of a submission: `POST /v1/submissions/{id}/bind`."""
        return cast("t.BoundPolicy", self._send("POST", _path("/v1/submissions/{id}/bind", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def screen_name(self, body: t.Screening, *, idempotency_key: str | None = None) -> t.ScreenedMatches:
        """Screen a name against the sanctions list: `POST /v1/sanctions/screenings`."""
        return cast("t.ScreenedMatches", self._send("POST", "/v1/sanctions/screenings", body=body, idempotency_key=idempotency_key, has_key=True))

    def clear_name(self, body: t.SanctionsClearanceCreate, *, idempotency_key: str | None = None) -> t.SanctionsClearance:
        """Clear a name that only resembles a listed party: `POST /v1/sanctions/clearances`."""
        return cast("t.SanctionsClearance", self._send("POST", "/v1/sanctions/clearances", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_sanctions_clearances(self, *, limit: int | None = None, cursor: str | None = None, name: str | None = None) -> t.SanctionsClearancePage:
        """List cleared names, newest first: `GET /v1/sanctions/clearances`."""
        return cast("t.SanctionsClearancePage", self._send("GET", "/v1/sanctions/clearances", query={"limit": limit, "cursor": cursor, "name": name}))

    def iterate_sanctions_clearances(self, *, limit: int | None = None, name: str | None = None) -> Iterator[t.SanctionsClearance]:
        """Every row, page by page. List cleared names, newest first: `GET /v1/sanctions/clearances`."""
        return self._rows("/v1/sanctions/clearances", {"limit": limit, "name": name})

    def withdraw_sanctions_clearance(self, id: t.SanctionsClearanceId, *, if_match: str | None = None) -> None:
        """Withdraw a clearance: `DELETE /v1/sanctions/clearances/{id}`."""
        self._send("DELETE", _path("/v1/sanctions/clearances/{id}", id=id), if_match=if_match)

    def list_policies(self, *, limit: int | None = None, cursor: str | None = None, sort: t.PolicySort | None = None, status: t.PolicyStanding | None = None, producer_id: t.ProducerId | None = None, line_of_business: t.LineOfBusiness | None = None, state: t.State | None = None, insured_name: str | None = None, q: str | None = None, effective_from: t.BusinessDate | None = None, effective_to: t.BusinessDate | None = None, expiring_from: t.BusinessDate | None = None, expiring_to: t.BusinessDate | None = None) -> t.PolicyPage:
        """List policies: `GET /v1/policies`."""
        return cast("t.PolicyPage", self._send("GET", "/v1/policies", query={"limit": limit, "cursor": cursor, "sort": sort, "status": status, "producerId": producer_id, "lineOfBusiness": line_of_business, "state": state, "insuredName": insured_name, "q": q, "effectiveFrom": effective_from, "effectiveTo": effective_to, "expiringFrom": expiring_from, "expiringTo": expiring_to}))

    def iterate_policies(self, *, limit: int | None = None, sort: t.PolicySort | None = None, status: t.PolicyStanding | None = None, producer_id: t.ProducerId | None = None, line_of_business: t.LineOfBusiness | None = None, state: t.State | None = None, insured_name: str | None = None, q: str | None = None, effective_from: t.BusinessDate | None = None, effective_to: t.BusinessDate | None = None, expiring_from: t.BusinessDate | None = None, expiring_to: t.BusinessDate | None = None) -> Iterator[t.Policy]:
        """Every row, page by page. List policies: `GET /v1/policies`."""
        return self._rows("/v1/policies", {"limit": limit, "sort": sort, "status": status, "producerId": producer_id, "lineOfBusiness": line_of_business, "state": state, "insuredName": insured_name, "q": q, "effectiveFrom": effective_from, "effectiveTo": effective_to, "expiringFrom": expiring_from, "expiringTo": expiring_to})

    def get_policy(self, id: t.PolicyId, *, expand: Literal['invoices'] | None = None, as_of: t.BusinessDate | None = None) -> t.PolicyDetail:
        """Read a policy, as it stands or as of a date: `GET /v1/policies/{id}`."""
        return cast("t.PolicyDetail", self._send("GET", _path("/v1/policies/{id}", id=id), query={"expand": expand, "asOf": as_of}))

    def change_policy_contact(self, id: t.PolicyId, body: t.PolicyContact | None = None, *, if_match: str | None = None) -> t.Policy:
        """Change the contact on file: `PATCH /v1/policies/{id}`."""
        return cast("t.Policy", self._send("PATCH", _path("/v1/policies/{id}", id=id), body=body, if_match=if_match))

    def get_policy_timeline(self, id: t.PolicyId, *, limit: int | None = None, cursor: str | None = None) -> t.PolicyTransactionPage:
        """Read the transactions of a policy, oldest first: `GET /v1/policies/{id}/timeline`."""
        return cast("t.PolicyTransactionPage", self._send("GET", _path("/v1/policies/{id}/timeline", id=id), query={"limit": limit, "cursor": cursor}))

    def iterate_policy_timeline(self, id: t.PolicyId, *, limit: int | None = None) -> Iterator[t.PolicyTransaction]:
        """Every row, page by page. Read the transactions of a policy, oldest first: `GET /v1/policies/{id}/timeline`."""
        return self._rows(_path("/v1/policies/{id}/timeline", id=id), {"limit": limit})

    def endorse_policy(self, id: t.PolicyId, body: t.Endorse, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Endorsement:
        """Endorse a policy: change its terms as of a date: `POST /v1/policies/{id}/endorse`."""
        return cast("t.Endorsement", self._send("POST", _path("/v1/policies/{id}/endorse", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def preview_endorse_policy(self, id: t.PolicyId, body: t.Endorse, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.EndorsementPreview:
        """What would happen; nothing is written. Endorse a policy: change its terms as of a date: `POST /v1/policies/{id}/endorse`."""
        return cast("t.EndorsementPreview", self._send("POST", _path("/v1/policies/{id}/endorse", id=id), query={"preview": True}, body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def void_endorsement(self, id: t.PolicyId, transaction_id: t.PolicyTransactionId, body: t.VoidEndorsement, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransaction:
        """Void an endorsement that was issued by mistake: `POST /v1/policies/{id}/transactions/{transactionId}/void`."""
        return cast("t.PolicyTransaction", self._send("POST", _path("/v1/policies/{id}/transactions/{transactionId}/void", id=id, transactionId=transaction_id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def preview_void_endorsement(self, id: t.PolicyId, transaction_id: t.PolicyTransactionId, body: t.VoidEndorsement, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransactionPreview:
        """What would happen; nothing is written. Void an endorsement that was issued by mistake: `POST /v1/policies/{id}/transactions/{transactionId}/void`."""
        return cast("t.PolicyTransactionPreview", self._send("POST", _path("/v1/policies/{id}/transactions/{transactionId}/void", id=id, transactionId=transaction_id), query={"preview": True}, body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def cancel_policy(self, id: t.PolicyId, body: t.Cancel, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransaction:
        """Cancel a policy as of a date: `POST /v1/policies/{id}/cancel`."""
        return cast("t.PolicyTransaction", self._send("POST", _path("/v1/policies/{id}/cancel", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def preview_cancel_policy(self, id: t.PolicyId, body: t.Cancel, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransactionPreview:
        """What would happen; nothing is written. Cancel a policy as of a date: `POST /v1/policies/{id}/cancel`."""
        return cast("t.PolicyTransactionPreview", self._send("POST", _path("/v1/policies/{id}/cancel", id=id), query={"preview": True}, body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reinstate_policy(self, id: t.PolicyId, body: t.Reinstate | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransaction:
        """Reinstate a cancelled policy: `POST /v1/policies/{id}/reinstate`."""
        return cast("t.PolicyTransaction", self._send("POST", _path("/v1/policies/{id}/reinstate", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def preview_reinstate_policy(self, id: t.PolicyId, body: t.Reinstate | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransactionPreview:
        """What would happen; nothing is written. Reinstate a cancelled policy: `POST /v1/policies/{id}/reinstate`."""
        return cast("t.PolicyTransactionPreview", self._send("POST", _path("/v1/policies/{id}/reinstate", id=id), query={"preview": True}, body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def renew_policy(self, id: t.PolicyId, body: t.Renew | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Renewal:
        """Bind the next term of a policy: `POST /v1/policies/{id}/renew`."""
        return cast("t.Renewal", self._send("POST", _path("/v1/policies/{id}/renew", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def preview_renew_policy(self, id: t.PolicyId, body: t.Renew | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.RenewalPreview:
        """What would happen; nothing is written. Bind the next term of a policy: `POST /v1/policies/{id}/renew`."""
        return cast("t.RenewalPreview", self._send("POST", _path("/v1/policies/{id}/renew", id=id), query={"preview": True}, body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def non_renew_policy(self, id: t.PolicyId, body: t.NonRenew, *, idempotency_key: str | None = None, if_match: str | None = None) -> None:
        """Give notice that a policy will not be renewed: `POST /v1/policies/{id}/non-renew`."""
        self._send("POST", _path("/v1/policies/{id}/non-renew", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True)

    def preview_non_renew_policy(self, id: t.PolicyId, body: t.NonRenew, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.NonRenewedPolicy:
        """What would happen; nothing is written. Give notice that a policy will not be renewed: `POST /v1/policies/{id}/non-renew`."""
        return cast("t.NonRenewedPolicy", self._send("POST", _path("/v1/policies/{id}/non-renew", id=id), query={"preview": True}, body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def withdraw_non_renewal(self, id: t.PolicyId, *, if_match: str | None = None) -> t.Policy:
        """Withdraw the notice of non-renewal: `DELETE /v1/policies/{id}/non-renew`."""
        return cast("t.Policy", self._send("DELETE", _path("/v1/policies/{id}/non-renew", id=id), if_match=if_match))

    def audit_policy(self, id: t.PolicyId, body: t.PremiumAudit, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransaction:
        """Audit the premium of an ended term: `POST /v1/policies/{id}/audit`."""
        return cast("t.PolicyTransaction", self._send("POST", _path("/v1/policies/{id}/audit", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def preview_audit_policy(self, id: t.PolicyId, body: t.PremiumAudit, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransactionPreview:
        """What would happen; nothing is written. Audit the premium of an ended term: `POST /v1/policies/{id}/audit`."""
        return cast("t.PolicyTransactionPreview", self._send("POST", _path("/v1/policies/{id}/audit", id=id), query={"preview": True}, body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def change_payment_plan(self, id: t.PolicyId, body: t.PaymentPlan, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransaction:
        """Change the payment plan of a policy: `POST /v1/policies/{id}/payment-plan`."""
        return cast("t.PolicyTransaction", self._send("POST", _path("/v1/policies/{id}/payment-plan", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def preview_change_payment_plan(self, id: t.PolicyId, body: t.PaymentPlan, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PolicyTransactionPreview:
        """What would happen; nothing is written. Change the payment plan of a policy: `POST /v1/policies/{id}/payment-plan`."""
        return cast("t.PolicyTransactionPreview", self._send("POST", _path("/v1/policies/{id}/payment-plan", id=id), query={"preview": True}, body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_policy_notices(self, id: t.PolicyId, *, limit: int | None = None, cursor: str | None = None) -> t.PolicyNoticePage:
        """List the notices owed to the insured, newest first: `GET /v1/policies/{id}/notices`."""
        return cast("t.PolicyNoticePage", self._send("GET", _path("/v1/policies/{id}/notices", id=id), query={"limit": limit, "cursor": cursor}))

    def iterate_policy_notices(self, id: t.PolicyId, *, limit: int | None = None) -> Iterator[t.PolicyNotice]:
        """Every row, page by page. List the notices owed to the insured, newest first: `GET /v1/policies/{id}/notices`."""
        return self._rows(_path("/v1/policies/{id}/notices", id=id), {"limit": limit})

    def run_renewal_batch(self, body: t.RenewalBatchRun, *, limit: int | None = None, cursor: str | None = None, idempotency_key: str | None = None) -> Union[t.RenewalBatch, t.StartedRenewalBatch]:
        """Renew every policy that expires soon: `POST /v1/renewals/batch`."""
        return cast("Union[t.RenewalBatch, t.StartedRenewalBatch]", self._send("POST", "/v1/renewals/batch", query={"limit": limit, "cursor": cursor}, body=body, idempotency_key=idempotency_key, has_key=True, timeout_s=150.0))

    def get_renewal_batch(self, id: t.BatchId, *, limit: int | None = None, cursor: str | None = None) -> t.RenewalBatch:
        """Read the progress of a renewal batch and the outcome of each policy: `GET /v1/renewals/batch/{id}`."""
        return cast("t.RenewalBatch", self._send("GET", _path("/v1/renewals/batch/{id}", id=id), query={"limit": limit, "cursor": cursor}))

    def create_claim(self, body: t.ClaimCreate, *, idempotency_key: str | None = None) -> t.Claim:
        """File a first notice of loss: `POST /v1/claims`."""
        return cast("t.Claim", self._send("POST", "/v1/claims", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_claims(self, *, limit: int | None = None, cursor: str | None = None, sort: t.ClaimSort | None = None, status: t.ClaimStatus | None = None, adjuster_id: t.UserSubject | None = None, policy_id: t.PolicyId | None = None, loss_from: t.BusinessDate | None = None, loss_to: t.BusinessDate | None = None, q: str | None = None) -> t.ClaimSummaryPage:
        """List claims: `GET /v1/claims`."""
        return cast("t.ClaimSummaryPage", self._send("GET", "/v1/claims", query={"limit": limit, "cursor": cursor, "sort": sort, "status": status, "adjusterId": adjuster_id, "policyId": policy_id, "lossFrom": loss_from, "lossTo": loss_to, "q": q}))

    def iterate_claims(self, *, limit: int | None = None, sort: t.ClaimSort | None = None, status: t.ClaimStatus | None = None, adjuster_id: t.UserSubject | None = None, policy_id: t.PolicyId | None = None, loss_from: t.BusinessDate | None = None, loss_to: t.BusinessDate | None = None, q: str | None = None) -> Iterator[t.ClaimSummary]:
        """Every row, page by page. List claims: `GET /v1/claims`."""
        return self._rows("/v1/claims", {"limit": limit, "sort": sort, "status": status, "adjusterId": adjuster_id, "policyId": policy_id, "lossFrom": loss_from, "lossTo": loss_to, "q": q})

    def get_claim(self, id: t.ClaimId) -> t.Claim:
        """Read a claim: `GET /v1/claims/{id}`."""
        return cast("t.Claim", self._send("GET", _path("/v1/claims/{id}", id=id)))

    def get_claim_timeline(self, id: t.ClaimId, *, limit: int | None = None, cursor: str | None = None) -> t.ClaimTimelineEntryPage:
        """Read who did what to a claim, oldest first: `GET /v1/claims/{id}/timeline`."""
        return cast("t.ClaimTimelineEntryPage", self._send("GET", _path("/v1/claims/{id}/timeline", id=id), query={"limit": limit, "cursor": cursor}))

    def iterate_claim_timeline(self, id: t.ClaimId, *, limit: int | None = None) -> Iterator[t.ClaimTimelineEntry]:
        """Every row, page by page. Read who did what to a claim, oldest first: `GET /v1/claims/{id}/timeline`."""
        return self._rows(_path("/v1/claims/{id}/timeline", id=id), {"limit": limit})

    def investigate_claim(self, id: t.ClaimId, body: t.InvestigateClaim | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Begin the investigation of a claim: `POST /v1/claims/{id}/investigate`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/investigate", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def assign_claim(self, id: t.ClaimId, body: t.AssignClaim, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Assign a claim to an adjuster: `POST /v1/claims/{id}/assign`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/assign", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reserve_claim(self, id: t.ClaimId, body: t.ClaimReserves, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Set the reserves of a claim: `POST /v1/claims/{id}/reserves`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/reserves", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def deny_claim(self, id: t.ClaimId, body: t.DenyClaim, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Deny coverage: `POST /v1/claims/{id}/deny`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/deny", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def close_claim(self, id: t.ClaimId, body: t.CloseClaim | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Close a claim: `POST /v1/claims/{id}/close`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/close", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reopen_claim(self, id: t.ClaimId, body: t.ReopenClaim, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Reopen a closed claim: `POST /v1/claims/{id}/reopen`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/reopen", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def record_status_letter(self, id: t.ClaimId, body: t.RecordStatusLetter | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Record that a status letter was sent: `POST /v1/claims/{id}/status-letters`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/status-letters", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def settle_claim(self, id: t.ClaimId, body: t.SettleClaim, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Offer a settlement: `POST /v1/claims/{id}/settle`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/settle", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def approve_settlement(self, id: t.ClaimId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Approve the offered settlement: `POST /v1/claims/{id}/settle/approve`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/settle/approve", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reject_settlement(self, id: t.ClaimId, body: t.RejectSettlement | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Reject the offered settlement: `POST /v1/claims/{id}/settle/reject`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/settle/reject", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_claim_payments(self, id: t.ClaimId, *, limit: int | None = None, cursor: str | None = None) -> t.ClaimPaymentPage:
        """List the payments of a claim, oldest first: `GET /v1/claims/{id}/payments`."""
        return cast("t.ClaimPaymentPage", self._send("GET", _path("/v1/claims/{id}/payments", id=id), query={"limit": limit, "cursor": cursor}))

    def iterate_claim_payments(self, id: t.ClaimId, *, limit: int | None = None) -> Iterator[t.ClaimPayment]:
        """Every row, page by page. List the payments of a claim, oldest first: `GET /v1/claims/{id}/payments`."""
        return self._rows(_path("/v1/claims/{id}/payments", id=id), {"limit": limit})

    def pay_claim(self, id: t.ClaimId, body: t.PayClaim, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.ClaimPayment:
        """Pay part of a claim, or a claim expense: `POST /v1/claims/{id}/payments`."""
        return cast("t.ClaimPayment", self._send("POST", _path("/v1/claims/{id}/payments", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def void_claim_payment(self, id: t.ClaimId, payment_id: t.ClaimPaymentId, body: t.VoidClaimPayment, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Void a claim payment: `POST /v1/claims/{id}/payments/{paymentId}/void`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/payments/{paymentId}/void", id=id, paymentId=payment_id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_claim_recoveries(self, id: t.ClaimId, *, limit: int | None = None, cursor: str | None = None, kind: t.ClaimRecoveryKind | None = None, received_from: t.BusinessDate | None = None, received_to: t.BusinessDate | None = None) -> t.ClaimRecoveryPage:
        """List the recoveries on a claim, oldest first: `GET /v1/claims/{id}/recoveries`."""
        return cast("t.ClaimRecoveryPage", self._send("GET", _path("/v1/claims/{id}/recoveries", id=id), query={"limit": limit, "cursor": cursor, "kind": kind, "receivedFrom": received_from, "receivedTo": received_to}))

    def iterate_claim_recoveries(self, id: t.ClaimId, *, limit: int | None = None, kind: t.ClaimRecoveryKind | None = None, received_from: t.BusinessDate | None = None, received_to: t.BusinessDate | None = None) -> Iterator[t.ClaimRecovery]:
        """Every row, page by page. List the recoveries on a claim, oldest first: `GET /v1/claims/{id}/recoveries`."""
        return self._rows(_path("/v1/claims/{id}/recoveries", id=id), {"limit": limit, "kind": kind, "receivedFrom": received_from, "receivedTo": received_to})

    def recover_claim(self, id: t.ClaimId, body: t.RecoverClaim, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Claim:
        """Record a salvage or subrogation recovery: `POST /v1/claims/{id}/recoveries`."""
        return cast("t.Claim", self._send("POST", _path("/v1/claims/{id}/recoveries", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_payee_holds(self, id: t.ClaimId, *, limit: int | None = None, cursor: str | None = None) -> t.PayeeHoldPage:
        """List the payees of a claim who are held for sanctions: `GET /v1/claims/{id}/payee-holds`."""
        return cast("t.PayeeHoldPage", self._send("GET", _path("/v1/claims/{id}/payee-holds", id=id), query={"limit": limit, "cursor": cursor}))

    def iterate_payee_holds(self, id: t.ClaimId, *, limit: int | None = None) -> Iterator[t.PayeeHold]:
        """Every row, page by page. List the payees of a claim who are held for sanctions: `GET /v1/claims/{id}/payee-holds`."""
        return self._rows(_path("/v1/claims/{id}/payee-holds", id=id), {"limit": limit})

    def clear_payee_hold(self, id: t.ClaimId, hold_id: t.PayeeHoldId, body: t.ClearPayeeHold, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PayeeHold:
        """Clear a held payee who only shares a name with a listed party: `POST /v1/claims/{id}/payee-holds/{holdId}/clear`."""
        return cast("t.PayeeHold", self._send("POST", _path("/v1/claims/{id}/payee-holds/{holdId}/clear", id=id, holdId=hold_id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def attach_to_claim(self, id: t.ClaimId, body: dict[str, Any], *, idempotency_key: str | None = None, if_match: str | None = None) -> t.ClaimAttachment:
        """Attach a file to a claim: `POST /v1/claims/{id}/attachments`."""
        return cast("t.ClaimAttachment", self._send("POST", _path("/v1/claims/{id}/attachments", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True, timeout_s=330.0))

    def list_claim_attachments(self, id: t.ClaimId, *, limit: int | None = None, cursor: str | None = None) -> t.ClaimAttachmentPage:
        """List the files on a claim, newest first: `GET /v1/claims/{id}/attachments`."""
        return cast("t.ClaimAttachmentPage", self._send("GET", _path("/v1/claims/{id}/attachments", id=id), query={"limit": limit, "cursor": cursor}))

    def iterate_claim_attachments(self, id: t.ClaimId, *, limit: int | None = None) -> Iterator[t.ClaimAttachment]:
        """Every row, page by page. List the files on a claim, newest first: `GET /v1/claims/{id}/attachments`."""
        return self._rows(_path("/v1/claims/{id}/attachments", id=id), {"limit": limit})

    def get_claim_attachment(self, id: t.ClaimId, attachment_id: t.AttachmentId) -> t.ClaimAttachment:
        """Get a file on a claim with a new address: `GET /v1/claims/{id}/attachments/{attachmentId}`."""
        return cast("t.ClaimAttachment", self._send("GET", _path("/v1/claims/{id}/attachments/{attachmentId}", id=id, attachmentId=attachment_id)))

    def generate_certificate(self, body: t.GenerateCertificate, *, idempotency_key: str | None = None) -> t.IssuedCertificate:
        """Issue a certificate of insurance: `POST /v1/coi/generate`."""
        return cast("t.IssuedCertificate", self._send("POST", "/v1/coi/generate", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_certificates(self, *, limit: int | None = None, cursor: str | None = None, policy_id: t.PolicyId | None = None) -> t.CertificatePage:
        """List certificates, newest first: `GET /v1/certificates`."""
        return cast("t.CertificatePage", self._send("GET", "/v1/certificates", query={"limit": limit, "cursor": cursor, "policyId": policy_id}))

    def iterate_certificates(self, *, limit: int | None = None, policy_id: t.PolicyId | None = None) -> Iterator[t.Certificate]:
        """Every row, page by page. List certificates, newest first: `GET /v1/certificates`."""
        return self._rows("/v1/certificates", {"limit": limit, "policyId": policy_id})

    def verify_certificate(self, certificate_number: str) -> t.CertificateStanding:
        """Check whether a certificate is still valid: `GET /v1/coi/{certificateNumber}/verify`."""
        return cast("t.CertificateStanding", self._send("GET", _path("/v1/coi/{certificateNumber}/verify", certificateNumber=certificate_number)))

    def issue_mcs90(self, id: t.PolicyId, body: t.IssueMcs90 | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.IssuedMcs90:
        """Issue the data sheet of an MCS-90 endorsement: `POST /v1/policies/{id}/mcs90`."""
        return cast("t.IssuedMcs90", self._send("POST", _path("/v1/policies/{id}/mcs90", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def render_pdf(self, body: t.RenderPdf, *, idempotency_key: str | None = None) -> Union[bytes, t.Document]:
        """Render a PDF from HTML or a template: `POST /v1/documents/render-pdf`."""
        return cast("Union[bytes, t.Document]", self._send("POST", "/v1/documents/render-pdf", body=body, idempotency_key=idempotency_key, has_key=True))

    def print_invoice(self, id: t.InvoiceId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Document:
        """Print an invoice as it stands: `POST /v1/invoices/{id}/document`."""
        return cast("t.Document", self._send("POST", _path("/v1/invoices/{id}/document", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_documents(self, *, limit: int | None = None, cursor: str | None = None, entity_type: t.DocumentEntityType | None = None, entity_id: str | None = None, kind: str | None = None) -> t.DocumentPage:
        """List documents, newest first: `GET /v1/documents`."""
        return cast("t.DocumentPage", self._send("GET", "/v1/documents", query={"limit": limit, "cursor": cursor, "entityType": entity_type, "entityId": entity_id, "kind": kind}))

    def iterate_documents(self, *, limit: int | None = None, entity_type: t.DocumentEntityType | None = None, entity_id: str | None = None, kind: str | None = None) -> Iterator[t.Document]:
        """Every row, page by page. List documents, newest first: `GET /v1/documents`."""
        return self._rows("/v1/documents", {"limit": limit, "entityType": entity_type, "entityId": entity_id, "kind": kind})

    def get_document(self, id: t.DocumentId) -> t.Document:
        """Get a document with a fresh download address: `GET /v1/documents/{id}`."""
        return cast("t.Document", self._send("GET", _path("/v1/documents/{id}", id=id)))

    def ingest_document(self, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.IngestedDocument:
        """Ingest a document: classify it and extract its values: `POST /v1/documents/ingest`."""
        return cast("t.IngestedDocument", self._send("POST", "/v1/documents/ingest", body=body, idempotency_key=idempotency_key, has_key=True, timeout_s=390.0))

    def get_document_template(self, kind: t.DocumentTemplateKind) -> t.DocumentTemplate:
        """Read the template of a kind of document: `GET /v1/document-templates/{kind}`."""
        return cast("t.DocumentTemplate", self._send("GET", _path("/v1/document-templates/{kind}", kind=kind)))

    def put_document_template(self, kind: t.DocumentTemplateKind, body: t.DocumentTemplateInput) -> t.DocumentTemplate:
        """Replace the template of a kind of document: `PUT /v1/document-templates/{kind}`."""
        return cast("t.DocumentTemplate", self._send("PUT", _path("/v1/document-templates/{kind}", kind=kind), body=body))

    def create_envelope(self, body: t.EnvelopeCreate, *, idempotency_key: str | None = None) -> t.Envelope:
        """Send a document to be signed: `POST /v1/envelopes`."""
        return cast("t.Envelope", self._send("POST", "/v1/envelopes", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_envelopes(self, *, limit: int | None = None, cursor: str | None = None, status: t.EnvelopeStatus | None = None, document_id: t.DocumentId | None = None, policy_id: t.PolicyId | None = None, submission_id: t.SubmissionId | None = None, appointment_id: t.AppointmentId | None = None) -> t.EnvelopePage:
        """List envelopes, newest first: `GET /v1/envelopes`."""
        return cast("t.EnvelopePage", self._send("GET", "/v1/envelopes", query={"limit": limit, "cursor": cursor, "status": status, "documentId": document_id, "policyId": policy_id, "submissionId": submission_id, "appointmentId": appointment_id}))

    def iterate_envelopes(self, *, limit: int | None = None, status: t.EnvelopeStatus | None = None, document_id: t.DocumentId | None = None, policy_id: t.PolicyId | None = None, submission_id: t.SubmissionId | None = None, appointment_id: t.AppointmentId | None = None) -> Iterator[t.Envelope]:
        """Every row, page by page. List envelopes, newest first: `GET /v1/envelopes`."""
        return self._rows("/v1/envelopes", {"limit": limit, "status": status, "documentId": document_id, "policyId": policy_id, "submissionId": submission_id, "appointmentId": appointment_id})

    def get_envelope(self, id: t.EnvelopeId) -> t.Envelope:
        """Read an envelope: `GET /v1/envelopes/{id}`."""
        return cast("t.Envelope", self._send("GET", _path("/v1/envelopes/{id}", id=id)))

    def void_envelope(self, id: t.EnvelopeId, body: t.EnvelopeVoid, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Envelope:
        """Void an envelope: `POST /v1/envelopes/{id}/void`."""
        return cast("t.Envelope", self._send("POST", _path("/v1/envelopes/{id}/void", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_loss_funds(self) -> t.LossFunds:
        """List the loss funds of the carriers: `GET /v1/loss-funds`."""
        return cast("t.LossFunds", self._send("GET", "/v1/loss-funds"))

    def iterate_loss_funds(self) -> Iterator[t.LossFund]:
        """Every row, page by page. List the loss funds of the carriers: `GET /v1/loss-funds`."""
        return self._rows("/v1/loss-funds", {})

    def deposit_loss_fund(self, body: t.DepositLossFund, *, idempotency_key: str | None = None) -> t.LossFundDeposit:
        """Record a deposit of a carrier into its loss fund: `POST /v1/loss-funds/deposits`."""
        return cast("t.LossFundDeposit", self._send("POST", "/v1/loss-funds/deposits", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_losses(self, *, producer_id: t.ProducerId | None = None, loss_from: t.BusinessDate | None = None, loss_to: t.BusinessDate | None = None) -> t.ProducerLossesList:
        """Total the claims of each producer: `GET /v1/claims/losses`."""
        return cast("t.ProducerLossesList", self._send("GET", "/v1/claims/losses", query={"producerId": producer_id, "lossFrom": loss_from, "lossTo": loss_to}))

    def iterate_losses(self, *, producer_id: t.ProducerId | None = None, loss_from: t.BusinessDate | None = None, loss_to: t.BusinessDate | None = None) -> Iterator[t.ProducerLosses]:
        """Every row, page by page. Total the claims of each producer: `GET /v1/claims/losses`."""
        return self._rows("/v1/claims/losses", {"producerId": producer_id, "lossFrom": loss_from, "lossTo": loss_to})

    def list_invoices(self, *, limit: int | None = None, cursor: str | None = None, sort: t.InvoiceSort | None = None, expand: Literal['policy'] | None = None, status: t.InvoiceStatus | None = None, policy_id: t.PolicyId | None = None, invoice_number: str | None = None, due_from: t.BusinessDate | None = None, due_to: t.BusinessDate | None = None, q: str | None = None) -> t.InvoicePage:
        """List invoices: `GET /v1/invoices`."""
        return cast("t.InvoicePage", self._send("GET", "/v1/invoices", query={"limit": limit, "cursor": cursor, "sort": sort, "expand": expand, "status": status, "policyId": policy_id, "invoiceNumber": invoice_number, "dueFrom": due_from, "dueTo": due_to, "q": q}))

    def iterate_invoices(self, *, limit: int | None = None, sort: t.InvoiceSort | None = None, expand: Literal['policy'] | None = None, status: t.InvoiceStatus | None = None, policy_id: t.PolicyId | None = None, invoice_number: str | None = None, due_from: t.BusinessDate | None = None, due_to: t.BusinessDate | None = None, q: str | None = None) -> Iterator[t.InvoiceDetail]:
        """Every row, page by page. List invoices: `GET /v1/invoices`."""
        return self._rows("/v1/invoices", {"limit": limit, "sort": sort, "expand": expand, "status": status, "policyId": policy_id, "invoiceNumber": invoice_number, "dueFrom": due_from, "dueTo": due_to, "q": q})

    def get_invoice(self, id: t.InvoiceId, *, expand: Literal['policy'] | None = None) -> t.InvoiceDetail:
        """Read an invoice: `GET /v1/invoices/{id}`."""
        return cast("t.InvoiceDetail", self._send("GET", _path("/v1/invoices/{id}", id=id), query={"expand": expand}))

    def create_payment_intent(self, id: t.InvoiceId, body: t.Collect | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PaymentIntent:
        """Start collecting an invoice by card: `POST /v1/invoices/{id}/payment-intent`."""
        return cast("t.PaymentIntent", self._send("POST", _path("/v1/invoices/{id}/payment-intent", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def pay_invoice(self, id: t.InvoiceId, body: t.Pay, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Payment:
        """Record a payment by check, transfer or cash: `POST /v1/invoices/{id}/pay`."""
        return cast("t.Payment", self._send("POST", _path("/v1/invoices/{id}/pay", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def void_invoice(self, id: t.InvoiceId, body: t.VoidInvoice, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Invoice:
        """Void an invoice that has no payments: `POST /v1/invoices/{id}/void`."""
        return cast("t.Invoice", self._send("POST", _path("/v1/invoices/{id}/void", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def write_off_invoice(self, id: t.InvoiceId, body: t.WriteOffInvoice, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Invoice:
        """Write off an invoice that will never be paid: `POST /v1/invoices/{id}/write-off`."""
        return cast("t.Invoice", self._send("POST", _path("/v1/invoices/{id}/write-off", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def refund_invoice(self, id: t.InvoiceId, body: t.RefundInvoice, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Refund:
        """Refund a payment, in full or in part: `POST /v1/invoices/{id}/refund`."""
        return cast("t.Refund", self._send("POST", _path("/v1/invoices/{id}/refund", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def retry_payment(self, id: t.InvoiceId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PaymentIntent:
        """Retry the card payment of an invoice after a failed attempt: `POST /v1/invoices/{id}/retry`."""
        return cast("t.PaymentIntent", self._send("POST", _path("/v1/invoices/{id}/retry", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def get_policy_autopay(self, id: t.PolicyId) -> t.Autopay:
        """Read the autopay of the insured of a policy: `GET /v1/policies/{id}/autopay`."""
        return cast("t.Autopay", self._send("GET", _path("/v1/policies/{id}/autopay", id=id)))

    def set_up_policy_autopay(self, id: t.PolicyId, body: t.AutopaySetupInput, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.AutopaySetup:
        """Set up autopay for the insured of a policy: `POST /v1/policies/{id}/autopay`."""
        return cast("t.AutopaySetup", self._send("POST", _path("/v1/policies/{id}/autopay", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def delete_policy_autopay(self, id: t.PolicyId, *, if_match: str | None = None) -> None:
        """Switch off the autopay of the insured of a policy: `DELETE /v1/policies/{id}/autopay`."""
        self._send("DELETE", _path("/v1/policies/{id}/autopay", id=id), if_match=if_match)

    def read_policy_statement(self, id: t.PolicyId, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> t.PolicyStatement:
        """Read the statement of account of a policy: `GET /v1/policies/{id}/statement`."""
        return cast("t.PolicyStatement", self._send("GET", _path("/v1/policies/{id}/statement", id=id), query={"from": from_, "to": to}))

    def read_policy_statement_csv(self, id: t.PolicyId, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> str:
        """As CSV. Read the statement of account of a policy: `GET /v1/policies/{id}/statement`."""
        return cast("str", self._send("GET", _path("/v1/policies/{id}/statement", id=id), query={"from": from_, "to": to}, accept="text/csv"))

    def list_payments(self, *, limit: int | None = None, cursor: str | None = None, q: str | None = None, method: t.PaymentMethod | None = None, invoice_id: t.InvoiceId | None = None, policy_id: t.PolicyId | None = None, received_from: t.BusinessDate | None = None, received_to: t.BusinessDate | None = None) -> t.PaymentPage:
        """List payments, newest first: `GET /v1/payments`."""
        return cast("t.PaymentPage", self._send("GET", "/v1/payments", query={"limit": limit, "cursor": cursor, "q": q, "method": method, "invoiceId": invoice_id, "policyId": policy_id, "receivedFrom": received_from, "receivedTo": received_to}))

    def iterate_payments(self, *, limit: int | None = None, q: str | None = None, method: t.PaymentMethod | None = None, invoice_id: t.InvoiceId | None = None, policy_id: t.PolicyId | None = None, received_from: t.BusinessDate | None = None, received_to: t.BusinessDate | None = None) -> Iterator[t.Payment]:
        """Every row, page by page. List payments, newest first: `GET /v1/payments`."""
        return self._rows("/v1/payments", {"limit": limit, "q": q, "method": method, "invoiceId": invoice_id, "policyId": policy_id, "receivedFrom": received_from, "receivedTo": received_to})

    def get_payment(self, id: t.PaymentOrRefundId) -> t.Payment:
        """Read a payment: `GET /v1/payments/{id}`."""
        return cast("t.Payment", self._send("GET", _path("/v1/payments/{id}", id=id)))

    def reverse_payment(self, id: t.PaymentId, body: t.ReversePayment, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Payment:
        """Reverse a check, transfer or cash payment that was never good: `POST /v1/payments/{id}/reverse`."""
        return cast("t.Payment", self._send("POST", _path("/v1/payments/{id}/reverse", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_unapplied_cash(self, *, limit: int | None = None, cursor: str | None = None, policy_id: t.PolicyId | None = None, invoice_id: t.InvoiceId | None = None) -> t.UnappliedCashPage:
        """List payments with unapplied money, newest first: `GET /v1/unapplied-cash`."""
        return cast("t.UnappliedCashPage", self._send("GET", "/v1/unapplied-cash", query={"limit": limit, "cursor": cursor, "policyId": policy_id, "invoiceId": invoice_id}))

    def iterate_unapplied_cash(self, *, limit: int | None = None, policy_id: t.PolicyId | None = None, invoice_id: t.InvoiceId | None = None) -> Iterator[t.UnappliedCash]:
        """Every row, page by page. List payments with unapplied money, newest first: `GET /v1/unapplied-cash`."""
        return self._rows("/v1/unapplied-cash", {"limit": limit, "policyId": policy_id, "invoiceId": invoice_id})

    def apply_unapplied_cash(self, id: t.PaymentId, body: t.ApplyUnappliedCash, *, idempotency_key: str | None = None) -> t.Payment:
        """Apply unapplied money to an invoice: `POST /v1/unapplied-cash/{id}/apply`."""
        return cast("t.Payment", self._send("POST", _path("/v1/unapplied-cash/{id}/apply", id=id), body=body, idempotency_key=idempotency_key, has_key=True))

    def return_unapplied_cash(self, id: t.PaymentId, body: t.ReturnUnappliedCash, *, idempotency_key: str | None = None) -> t.Refund:
        """Return unapplied money to the payer: `POST /v1/unapplied-cash/{id}/return`."""
        return cast("t.Refund", self._send("POST", _path("/v1/unapplied-cash/{id}/return", id=id), body=body, idempotency_key=idempotency_key, has_key=True))

    def list_refunds(self, *, limit: int | None = None, cursor: str | None = None, status: Literal['pending_approval', 'pending', 'succeeded', 'failed'] | None = None, policy_id: t.PolicyId | None = None, invoice_id: t.InvoiceId | None = None) -> t.RefundPage:
        """List refunds, newest first: `GET /v1/refunds`."""
        return cast("t.RefundPage", self._send("GET", "/v1/refunds", query={"limit": limit, "cursor": cursor, "status": status, "policyId": policy_id, "invoiceId": invoice_id}))

    def iterate_refunds(self, *, limit: int | None = None, status: Literal['pending_approval', 'pending', 'succeeded', 'failed'] | None = None, policy_id: t.PolicyId | None = None, invoice_id: t.InvoiceId | None = None) -> Iterator[t.Refund]:
        """Every row, page by page. List refunds, newest first: `GET /v1/refunds`."""
        return self._rows("/v1/refunds", {"limit": limit, "status": status, "policyId": policy_id, "invoiceId": invoice_id})

    def get_refund(self, id: t.RefundId) -> t.Refund:
        """Read a refund: `GET /v1/refunds/{id}`."""
        return cast("t.Refund", self._send("GET", _path("/v1/refunds/{id}", id=id)))

    def approve_refund(self, id: t.RefundId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Refund:
        """Approve a refund that somebody else requested: `POST /v1/refunds/{id}/approve`."""
        return cast("t.Refund", self._send("POST", _path("/v1/refunds/{id}/approve", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reject_refund(self, id: t.RefundId, body: t.RejectRefund, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Refund:
        """Reject a refund that somebody else requested: `POST /v1/refunds/{id}/reject`."""
        return cast("t.Refund", self._send("POST", _path("/v1/refunds/{id}/reject", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_disbursements(self, *, limit: int | None = None, cursor: str | None = None, status: t.DisbursementStatus | None = None, policy_id: t.PolicyId | None = None, invoice_id: t.InvoiceId | None = None, refund_id: t.RefundId | None = None) -> t.DisbursementPage:
        """List disbursements, newest first: `GET /v1/disbursements`."""
        return cast("t.DisbursementPage", self._send("GET", "/v1/disbursements", query={"limit": limit, "cursor": cursor, "status": status, "policyId": policy_id, "invoiceId": invoice_id, "refundId": refund_id}))

    def iterate_disbursements(self, *, limit: int | None = None, status: t.DisbursementStatus | None = None, policy_id: t.PolicyId | None = None, invoice_id: t.InvoiceId | None = None, refund_id: t.RefundId | None = None) -> Iterator[t.Disbursement]:
        """Every row, page by page. List disbursements, newest first: `GET /v1/disbursements`."""
        return self._rows("/v1/disbursements", {"limit": limit, "status": status, "policyId": policy_id, "invoiceId": invoice_id, "refundId": refund_id})

    def get_disbursement(self, id: t.DisbursementId) -> t.Disbursement:
        """Read a disbursement: `GET /v1/disbursements/{id}`."""
        return cast("t.Disbursement", self._send("GET", _path("/v1/disbursements/{id}", id=id)))

    def issue_disbursement(self, id: t.DisbursementId, body: t.IssueDisbursement | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Disbursement:
        """Issue a check or a transfer: `POST /v1/disbursements/{id}/issue`."""
        return cast("t.Disbursement", self._send("POST", _path("/v1/disbursements/{id}/issue", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def clear_disbursement(self, id: t.DisbursementId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Disbursement:
        """Record that the bank has paid a disbursement: `POST /v1/disbursements/{id}/clear`."""
        return cast("t.Disbursement", self._send("POST", _path("/v1/disbursements/{id}/clear", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def stop_disbursement(self, id: t.DisbursementId, body: t.StopDisbursement, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Disbursement:
        """Stop a check or transfer that was issued: `POST /v1/disbursements/{id}/stop`."""
        return cast("t.Disbursement", self._send("POST", _path("/v1/disbursements/{id}/stop", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def cancel_disbursement(self, id: t.DisbursementId, body: t.CancelDisbursement, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Disbursement:
        """Cancel a disbursement that is not to be paid out: `POST /v1/disbursements/{id}/cancel`."""
        return cast("t.Disbursement", self._send("POST", _path("/v1/disbursements/{id}/cancel", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def place_billing_hold(self, body: t.BillingHoldWrite, *, idempotency_key: str | None = None) -> t.BillingHold:
        """Stop the delinquency clock in a state: `POST /v1/billing-holds`."""
        return cast("t.BillingHold", self._send("POST", "/v1/billing-holds", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_billing_holds(self, *, limit: int | None = None, cursor: str | None = None) -> t.BillingHoldPage:
        """List the holds that have not been lifted: `GET /v1/billing-holds`."""
        return cast("t.BillingHoldPage", self._send("GET", "/v1/billing-holds", query={"limit": limit, "cursor": cursor}))

    def iterate_billing_holds(self, *, limit: int | None = None) -> Iterator[t.BillingHold]:
        """Every row, page by page. List the holds that have not been lifted: `GET /v1/billing-holds`."""
        return self._rows("/v1/billing-holds", {"limit": limit})

    def lift_billing_hold(self, id: t.BillingHoldId, *, if_match: str | None = None) -> None:
        """Lift a hold: `DELETE /v1/billing-holds/{id}`."""
        self._send("DELETE", _path("/v1/billing-holds/{id}", id=id), if_match=if_match)

    def upload_bank_statement(self, body: dict[str, Any], *, idempotency_key: str | None = None) -> t.BankStatement:
        """Upload a bank statement for the trust account: `POST /v1/bank-statements`."""
        return cast("t.BankStatement", self._send("POST", "/v1/bank-statements", body=body, idempotency_key=idempotency_key, has_key=True, timeout_s=360.0))

    def list_bank_statements(self, *, limit: int | None = None, cursor: str | None = None) -> t.BankStatementPage:
        """List bank statements, newest first: `GET /v1/bank-statements`."""
        return cast("t.BankStatementPage", self._send("GET", "/v1/bank-statements", query={"limit": limit, "cursor": cursor}))

    def iterate_bank_statements(self, *, limit: int | None = None) -> Iterator[t.BankStatement]:
        """Every row, page by page. List bank statements, newest first: `GET /v1/bank-statements`."""
        return self._rows("/v1/bank-statements", {"limit": limit})

    def get_bank_statement(self, id: t.BankStatementId) -> t.BankStatement:
        """Read a bank statement: `GET /v1/bank-statements/{id}`."""
        return cast("t.BankStatement", self._send("GET", _path("/v1/bank-statements/{id}", id=id)))

    def withdraw_bank_statement(self, id: t.BankStatementId, *, idempotency_key: str | None = None) -> t.BankStatement:
        """Withdraw a statement that should not have been uploaded: `POST /v1/bank-statements/{id}/withdraw`."""
        return cast("t.BankStatement", self._send("POST", _path("/v1/bank-statements/{id}/withdraw", id=id), idempotency_key=idempotency_key, has_key=True))

    def list_bank_lines(self, *, limit: int | None = None, cursor: str | None = None, statement_id: t.BankStatementId | None = None, status: t.BankMatchStatus | None = None) -> t.BankLinePage:
        """List bank bookings, newest first: `GET /v1/bank-lines`."""
        return cast("t.BankLinePage", self._send("GET", "/v1/bank-lines", query={"limit": limit, "cursor": cursor, "statementId": statement_id, "status": status}))

    def iterate_bank_lines(self, *, limit: int | None = None, statement_id: t.BankStatementId | None = None, status: t.BankMatchStatus | None = None) -> Iterator[t.BankLine]:
        """Every row, page by page. List bank bookings, newest first: `GET /v1/bank-lines`."""
        return self._rows("/v1/bank-lines", {"limit": limit, "statementId": statement_id, "status": status})

    def get_bank_line(self, id: t.BankLineId) -> t.BankLine:
        """Read a bank booking with its match: `GET /v1/bank-lines/{id}`."""
        return cast("t.BankLine", self._send("GET", _path("/v1/bank-lines/{id}", id=id)))

    def match_bank_line(self, id: t.BankLineId, body: t.BankLineMatch, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.BankLine:
        """Match a bank booking by hand: `POST /v1/bank-lines/{id}/match`."""
        return cast("t.BankLine", self._send("POST", _path("/v1/bank-lines/{id}/match", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def unmatch_bank_line(self, id: t.BankLineId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.BankLine:
        """Undo the match of a booking: `POST /v1/bank-lines/{id}/unmatch`."""
        return cast("t.BankLine", self._send("POST", _path("/v1/bank-lines/{id}/unmatch", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_bank_movements(self, *, limit: int | None = None, cursor: str | None = None, status: t.BankMatchStatus | None = None, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> t.BankMovementPage:
        """List the movements of trust cash in the ledger, newest first: `GET /v1/ledger/bank-movements`."""
        return cast("t.BankMovementPage", self._send("GET", "/v1/ledger/bank-movements", query={"limit": limit, "cursor": cursor, "status": status, "from": from_, "to": to}))

    def iterate_bank_movements(self, *, limit: int | None = None, status: t.BankMatchStatus | None = None, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> Iterator[t.BankMovement]:
        """Every row, page by page. List the movements of trust cash in the ledger, newest first: `GET /v1/ledger/bank-movements`."""
        return self._rows("/v1/ledger/bank-movements", {"limit": limit, "status": status, "from": from_, "to": to})

    def list_card_payouts(self, *, limit: int | None = None, cursor: str | None = None, status: t.CardPayoutStatus | None = None) -> t.CardPayoutPage:
        """List the card processor's payouts, newest first: `GET /v1/ledger/card-payouts`."""
        return cast("t.CardPayoutPage", self._send("GET", "/v1/ledger/card-payouts", query={"limit": limit, "cursor": cursor, "status": status}))

    def iterate_card_payouts(self, *, limit: int | None = None, status: t.CardPayoutStatus | None = None) -> Iterator[t.CardPayout]:
        """Every row, page by page. List the card processor's payouts, newest first: `GET /v1/ledger/card-payouts`."""
        return self._rows("/v1/ledger/card-payouts", {"limit": limit, "status": status})

    def get_card_payout(self, id: t.CardPayoutId) -> t.CardPayout:
        """Read a payout of the card processor: `GET /v1/ledger/card-payouts/{id}`."""
        return cast("t.CardPayout", self._send("GET", _path("/v1/ledger/card-payouts/{id}", id=id)))

    def list_card_payout_transactions(self, id: t.CardPayoutId, *, limit: int | None = None, cursor: str | None = None) -> t.CardPayoutTransactionPage:
        """List the balance transactions that a payout settles: `GET /v1/ledger/card-payouts/{id}/transactions`."""
        return cast("t.CardPayoutTransactionPage", self._send("GET", _path("/v1/ledger/card-payouts/{id}/transactions", id=id), query={"limit": limit, "cursor": cursor}))

    def iterate_card_payout_transactions(self, id: t.CardPayoutId, *, limit: int | None = None) -> Iterator[t.CardPayoutTransaction]:
        """Every row, page by page. List the balance transactions that a payout settles: `GET /v1/ledger/card-payouts/{id}/transactions`."""
        return self._rows(_path("/v1/ledger/card-payouts/{id}/transactions", id=id), {"limit": limit})

    def list_ledger_accounts(self, *, as_of: t.BusinessDate | None = None) -> t.LedgerAccounts:
        """List the accounts of both ledgers with their balances: `GET /v1/ledger/accounts`."""
        return cast("t.LedgerAccounts", self._send("GET", "/v1/ledger/accounts", query={"asOf": as_of}))

    def iterate_ledger_accounts(self, *, as_of: t.BusinessDate | None = None) -> Iterator[t.LedgerAccount]:
        """Every row, page by page. List the accounts of both ledgers with their balances: `GET /v1/ledger/accounts`."""
        return self._rows("/v1/ledger/accounts", {"asOf": as_of})

    def list_ledger_entries(self, *, limit: int | None = None, cursor: str | None = None, account: t.LedgerAccountNumber | None = None, invoice_id: t.InvoiceId | None = None, ledger: t.LedgerName | None = None, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> t.LedgerEntryPage:
        """List the entries of the ledgers, newest first: `GET /v1/ledger/entries`."""
        return cast("t.LedgerEntryPage", self._send("GET", "/v1/ledger/entries", query={"limit": limit, "cursor": cursor, "account": account, "invoiceId": invoice_id, "ledger": ledger, "from": from_, "to": to}))

    def iterate_ledger_entries(self, *, limit: int | None = None, account: t.LedgerAccountNumber | None = None, invoice_id: t.InvoiceId | None = None, ledger: t.LedgerName | None = None, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> Iterator[t.LedgerEntry]:
        """Every row, page by page. List the entries of the ledgers, newest first: `GET /v1/ledger/entries`."""
        return self._rows("/v1/ledger/entries", {"limit": limit, "account": account, "invoiceId": invoice_id, "ledger": ledger, "from": from_, "to": to})

    def make_journal(self, body: t.JournalWrite, *, idempotency_key: str | None = None) -> t.Journal:
        """Create a manual journal entry: `POST /v1/ledger/entries`."""
        return cast("t.Journal", self._send("POST", "/v1/ledger/entries", body=body, idempotency_key=idempotency_key, has_key=True))

    def close_ledger_period(self, month: t.Month, *, idempotency_key: str | None = None) -> t.LedgerPeriod:
        """Close a month of the ledgers: `POST /v1/ledger/periods/{month}/close`."""
        return cast("t.LedgerPeriod", self._send("POST", _path("/v1/ledger/periods/{month}/close", month=month), idempotency_key=idempotency_key, has_key=True))

    def reopen_ledger_period(self, month: t.Month, body: t.ReopenLedgerPeriod, *, idempotency_key: str | None = None) -> t.LedgerPeriod:
        """Reopen the last closed month: `POST /v1/ledger/periods/{month}/reopen`."""
        return cast("t.LedgerPeriod", self._send("POST", _path("/v1/ledger/periods/{month}/reopen", month=month), body=body, idempotency_key=idempotency_key, has_key=True))

    def list_ledger_periods(self, *, limit: int | None = None, cursor: str | None = None) -> t.LedgerPeriodPage:
        """List the months that were closed: `GET /v1/ledger/periods`."""
        return cast("t.LedgerPeriodPage", self._send("GET", "/v1/ledger/periods", query={"limit": limit, "cursor": cursor}))

    def iterate_ledger_periods(self, *, limit: int | None = None) -> Iterator[t.LedgerPeriod]:
        """Every row, page by page. List the months that were closed: `GET /v1/ledger/periods`."""
        return self._rows("/v1/ledger/periods", {"limit": limit})

    def list_journals(self, *, limit: int | None = None, cursor: str | None = None, status: t.JournalStatus | None = None) -> t.JournalPage:
        """List manual journal entries, newest first: `GET /v1/ledger/journals`."""
        return cast("t.JournalPage", self._send("GET", "/v1/ledger/journals", query={"limit": limit, "cursor": cursor, "status": status}))

    def iterate_journals(self, *, limit: int | None = None, status: t.JournalStatus | None = None) -> Iterator[t.Journal]:
        """Every row, page by page. List manual journal entries, newest first: `GET /v1/ledger/journals`."""
        return self._rows("/v1/ledger/journals", {"limit": limit, "status": status})

    def get_journal(self, id: t.JournalId) -> t.Journal:
        """Read a journal: `GET /v1/ledger/journals/{id}`."""
        return cast("t.Journal", self._send("GET", _path("/v1/ledger/journals/{id}", id=id)))

    def approve_journal(self, id: t.JournalId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Journal:
        """Approve and post a journal: `POST /v1/ledger/journals/{id}/approve`."""
        return cast("t.Journal", self._send("POST", _path("/v1/ledger/journals/{id}/approve", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reject_journal(self, id: t.JournalId, body: t.JournalRejection, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Journal:
        """Reject a journal: `POST /v1/ledger/journals/{id}/reject`."""
        return cast("t.Journal", self._send("POST", _path("/v1/ledger/journals/{id}/reject", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_transfers(self, *, limit: int | None = None, cursor: str | None = None, status: t.RemittanceStatus | None = None, paid_from: t.BusinessDate | None = None, paid_to: t.BusinessDate | None = None) -> t.RemittancePage:
        """List transfers to operating cash, newest first: `GET /v1/ledger/transfers`."""
        return cast("t.RemittancePage", self._send("GET", "/v1/ledger/transfers", query={"limit": limit, "cursor": cursor, "status": status, "paidFrom": paid_from, "paidTo": paid_to}))

    def list_transfers_csv(self, *, limit: int | None = None, cursor: str | None = None, status: t.RemittanceStatus | None = None, paid_from: t.BusinessDate | None = None, paid_to: t.BusinessDate | None = None) -> str:
        """As CSV. List transfers to operating cash, newest first: `GET /v1/ledger/transfers`."""
        return cast("str", self._send("GET", "/v1/ledger/transfers", query={"limit": limit, "cursor": cursor, "status": status, "paidFrom": paid_from, "paidTo": paid_to}, accept="text/csv"))

    def iterate_transfers(self, *, limit: int | None = None, status: t.RemittanceStatus | None = None, paid_from: t.BusinessDate | None = None, paid_to: t.BusinessDate | None = None) -> Iterator[t.Remittance]:
        """Every row, page by page. List transfers to operating cash, newest first: `GET /v1/ledger/transfers`."""
        return self._rows("/v1/ledger/transfers", {"limit": limit, "status": status, "paidFrom": paid_from, "paidTo": paid_to})

    def prepare_transfer(self, body: t.TransferWrite, *, idempotency_key: str | None = None) -> t.RemittanceDetail:
        """Prepare a transfer to operating cash: `POST /v1/ledger/transfers`."""
        return cast("t.RemittanceDetail", self._send("POST", "/v1/ledger/transfers", body=body, idempotency_key=idempotency_key, has_key=True))

    def get_transfer(self, id: t.TransferId) -> t.RemittanceDetail:
        """Read a transfer to operating cash with the invoices that it covers: `GET /v1/ledger/transfers/{id}`."""
        return cast("t.RemittanceDetail", self._send("GET", _path("/v1/ledger/transfers/{id}", id=id)))

    def get_transfer_csv(self, id: t.TransferId) -> str:
        """As CSV. Read a transfer to operating cash with the invoices that it covers: `GET /v1/ledger/transfers/{id}`."""
        return cast("str", self._send("GET", _path("/v1/ledger/transfers/{id}", id=id), accept="text/csv"))

    def approve_transfer(self, id: t.TransferId, body: t.RemittanceApproval | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.RemittanceDetail:
        """Approve and post a transfer to operating cash: `POST /v1/ledger/transfers/{id}/approve`."""
        return cast("t.RemittanceDetail", self._send("POST", _path("/v1/ledger/transfers/{id}/approve", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reject_transfer(self, id: t.TransferId, body: t.RemittanceRejection, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.RemittanceDetail:
        """Reject a transfer to operating cash: `POST /v1/ledger/transfers/{id}/reject`."""
        return cast("t.RemittanceDetail", self._send("POST", _path("/v1/ledger/transfers/{id}/reject", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_remittances(self, *, limit: int | None = None, cursor: str | None = None, status: t.RemittanceStatus | None = None, paid_from: t.BusinessDate | None = None, paid_to: t.BusinessDate | None = None, carrier: str | None = None, state: t.State | None = None) -> t.RemittancePage:
        """List remittances to carriers and states, newest first: `GET /v1/remittances`."""
        return cast("t.RemittancePage", self._send("GET", "/v1/remittances", query={"limit": limit, "cursor": cursor, "status": status, "paidFrom": paid_from, "paidTo": paid_to, "carrier": carrier, "state": state}))

    def list_remittances_csv(self, *, limit: int | None = None, cursor: str | None = None, status: t.RemittanceStatus | None = None, paid_from: t.BusinessDate | None = None, paid_to: t.BusinessDate | None = None, carrier: str | None = None, state: t.State | None = None) -> str:
        """As CSV. List remittances to carriers and states, newest first: `GET /v1/remittances`."""
        return cast("str", self._send("GET", "/v1/remittances", query={"limit": limit, "cursor": cursor, "status": status, "paidFrom": paid_from, "paidTo": paid_to, "carrier": carrier, "state": state}, accept="text/csv"))

    def iterate_remittances(self, *, limit: int | None = None, status: t.RemittanceStatus | None = None, paid_from: t.BusinessDate | None = None, paid_to: t.BusinessDate | None = None, carrier: str | None = None, state: t.State | None = None) -> Iterator[t.Remittance]:
        """Every row, page by page. List remittances to carriers and states, newest first: `GET /v1/remittances`."""
        return self._rows("/v1/remittances", {"limit": limit, "status": status, "paidFrom": paid_from, "paidTo": paid_to, "carrier": carrier, "state": state})

    def prepare_remittance(self, body: t.RemittanceWrite, *, idempotency_key: str | None = None) -> t.RemittanceDetail:
        """Prepare a remittance to a carrier or state: `POST /v1/remittances`."""
        return cast("t.RemittanceDetail", self._send("POST", "/v1/remittances", body=body, idempotency_key=idempotency_key, has_key=True))

    def get_remittance(self, id: t.RemittanceId) -> t.RemittanceDetail:
        """Read a remittance to a carrier or state with the invoices that it covers: `GET /v1/remittances/{id}`."""
        return cast("t.RemittanceDetail", self._send("GET", _path("/v1/remittances/{id}", id=id)))

    def get_remittance_csv(self, id: t.RemittanceId) -> str:
        """As CSV. Read a remittance to a carrier or state with the invoices that it covers: `GET /v1/remittances/{id}`."""
        return cast("str", self._send("GET", _path("/v1/remittances/{id}", id=id), accept="text/csv"))

    def approve_remittance(self, id: t.RemittanceId, body: t.RemittanceApproval | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.RemittanceDetail:
        """Approve and post a remittance to a carrier or state: `POST /v1/remittances/{id}/approve`."""
        return cast("t.RemittanceDetail", self._send("POST", _path("/v1/remittances/{id}/approve", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reject_remittance(self, id: t.RemittanceId, body: t.RemittanceRejection, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.RemittanceDetail:
        """Reject a remittance to a carrier or state: `POST /v1/remittances/{id}/reject`."""
        return cast("t.RemittanceDetail", self._send("POST", _path("/v1/remittances/{id}/reject", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_trust_reconciliations(self, *, limit: int | None = None, cursor: str | None = None) -> t.TrustReconciliationPage:
        """List reconciliations with their figures and findings, newest first: `GET /v1/trust-reconciliations`."""
        return cast("t.TrustReconciliationPage", self._send("GET", "/v1/trust-reconciliations", query={"limit": limit, "cursor": cursor}))

    def iterate_trust_reconciliations(self, *, limit: int | None = None) -> Iterator[t.TrustReconciliation]:
        """Every row, page by page. List reconciliations with their figures and findings, newest first: `GET /v1/trust-reconciliations`."""
        return self._rows("/v1/trust-reconciliations", {"limit": limit})

    def start_trust_reconciliation(self, *, idempotency_key: str | None = None) -> t.TrustReconciliation:
        """Reconcile the books now: `POST /v1/trust-reconciliations`."""
        return cast("t.TrustReconciliation", self._send("POST", "/v1/trust-reconciliations", idempotency_key=idempotency_key, has_key=True))

    def get_trust_reconciliation(self, id: t.TrustReconciliationId) -> t.TrustReconciliation:
        """Read a reconciliation with its figures, checks and findings: `GET /v1/trust-reconciliations/{id}`."""
        return cast("t.TrustReconciliation", self._send("GET", _path("/v1/trust-reconciliations/{id}", id=id)))

    def list_commissions(self, *, limit: int | None = None, cursor: str | None = None, producer_id: t.ProducerId | None = None, policy_id: t.PolicyId | None = None, invoice_id: t.InvoiceId | None = None, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> t.CommissionPage:
        """List commission records, newest first: `GET /v1/commissions`."""
        return cast("t.CommissionPage", self._send("GET", "/v1/commissions", query={"limit": limit, "cursor": cursor, "producerId": producer_id, "policyId": policy_id, "invoiceId": invoice_id, "from": from_, "to": to}))

    def iterate_commissions(self, *, limit: int | None = None, producer_id: t.ProducerId | None = None, policy_id: t.PolicyId | None = None, invoice_id: t.InvoiceId | None = None, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> Iterator[t.Commission]:
        """Every row, page by page. List commission records, newest first: `GET /v1/commissions`."""
        return self._rows("/v1/commissions", {"limit": limit, "producerId": producer_id, "policyId": policy_id, "invoiceId": invoice_id, "from": from_, "to": to})

    def list_payouts(self, *, limit: int | None = None, cursor: str | None = None, status: t.RemittanceStatus | None = None, paid_from: t.BusinessDate | None = None, paid_to: t.BusinessDate | None = None, producer_id: t.ProducerId | None = None) -> t.RemittancePage:
        """List payouts of commission, newest first: `GET /v1/commissions/payouts`."""
        return cast("t.RemittancePage", self._send("GET", "/v1/commissions/payouts", query={"limit": limit, "cursor": cursor, "status": status, "paidFrom": paid_from, "paidTo": paid_to, "producerId": producer_id}))

    def list_payouts_csv(self, *, limit: int | None = None, cursor: str | None = None, status: t.RemittanceStatus | None = None, paid_from: t.BusinessDate | None = None, paid_to: t.BusinessDate | None = None, producer_id: t.ProducerId | None = None) -> str:
        """As CSV. List payouts of commission, newest first: `GET /v1/commissions/payouts`."""
        return cast("str", self._send("GET", "/v1/commissions/payouts", query={"limit": limit, "cursor": cursor, "status": status, "paidFrom": paid_from, "paidTo": paid_to, "producerId": producer_id}, accept="text/csv"))

    def iterate_payouts(self, *, limit: int | None = None, status: t.RemittanceStatus | None = None, paid_from: t.BusinessDate | None = None, paid_to: t.BusinessDate | None = None, producer_id: t.ProducerId | None = None) -> Iterator[t.Remittance]:
        """Every row, page by page. List payouts of commission, newest first: `GET /v1/commissions/payouts`."""
        return self._rows("/v1/commissions/payouts", {"limit": limit, "status": status, "paidFrom": paid_from, "paidTo": paid_to, "producerId": producer_id})

    def prepare_payout(self, body: t.PayoutWrite, *, idempotency_key: str | None = None) -> t.RemittanceDetail:
        """Prepare a payout of commission: `POST /v1/commissions/payouts`."""
        return cast("t.RemittanceDetail", self._send("POST", "/v1/commissions/payouts", body=body, idempotency_key=idempotency_key, has_key=True))

    def get_payout(self, id: t.PayoutId) -> t.RemittanceDetail:
        """Read a payout of commission with the invoices that it covers: `GET /v1/commissions/payouts/{id}`."""
        return cast("t.RemittanceDetail", self._send("GET", _path("/v1/commissions/payouts/{id}", id=id)))

    def get_payout_csv(self, id: t.PayoutId) -> str:
        """As CSV. Read a payout of commission with the invoices that it covers: `GET /v1/commissions/payouts/{id}`."""
        return cast("str", self._send("GET", _path("/v1/commissions/payouts/{id}", id=id), accept="text/csv"))

    def approve_payout(self, id: t.PayoutId, body: t.RemittanceApproval | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.RemittanceDetail:
        """Approve and post a payout of commission: `POST /v1/commissions/payouts/{id}/approve`."""
        return cast("t.RemittanceDetail", self._send("POST", _path("/v1/commissions/payouts/{id}/approve", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reject_payout(self, id: t.PayoutId, body: t.RemittanceRejection, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.RemittanceDetail:
        """Reject a payout of commission: `POST /v1/commissions/payouts/{id}/reject`."""
        return cast("t.RemittanceDetail", self._send("POST", _path("/v1/commissions/payouts/{id}/reject", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def read_producer_statement(self, id: t.ProducerId, *, period: str | None = None) -> t.ProducerStatement:
        """Read a producer's commission statement for a month or quarter: `GET /v1/producers/{id}/statements`."""
        return cast("t.ProducerStatement", self._send("GET", _path("/v1/producers/{id}/statements", id=id), query={"period": period}))

    def read_producer_statement_csv(self, id: t.ProducerId, *, period: str | None = None) -> str:
        """As CSV. Read a producer's commission statement for a month or quarter: `GET /v1/producers/{id}/statements`."""
        return cast("str", self._send("GET", _path("/v1/producers/{id}/statements", id=id), query={"period": period}, accept="text/csv"))

    def create_producer(self, body: t.ProducerCreate, *, idempotency_key: str | None = None) -> t.Producer:
        """Record a producer: `POST /v1/producers`."""
        return cast("t.Producer", self._send("POST", "/v1/producers", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_producers(self, *, limit: int | None = None, cursor: str | None = None, status: t.ProducerStatus | None = None, parent_id: t.ProducerId | None = None, state: t.State | None = None, q: str | None = None) -> t.ProducerPage:
        """List producers: `GET /v1/producers`."""
        return cast("t.ProducerPage", self._send("GET", "/v1/producers", query={"limit": limit, "cursor": cursor, "status": status, "parentId": parent_id, "state": state, "q": q}))

    def iterate_producers(self, *, limit: int | None = None, status: t.ProducerStatus | None = None, parent_id: t.ProducerId | None = None, state: t.State | None = None, q: str | None = None) -> Iterator[t.Producer]:
        """Every row, page by page. List producers: `GET /v1/producers`."""
        return self._rows("/v1/producers", {"limit": limit, "status": status, "parentId": parent_id, "state": state, "q": q})

    def get_producer(self, id: t.ProducerId) -> t.Producer:
        """Read a producer with their licenses: `GET /v1/producers/{id}`."""
        return cast("t.Producer", self._send("GET", _path("/v1/producers/{id}", id=id)))

    def change_producer(self, id: t.ProducerId, body: t.ProducerChanges | None = None, *, if_match: str | None = None) -> t.Producer:
        """Change a producer: `PATCH /v1/producers/{id}`."""
        return cast("t.Producer", self._send("PATCH", _path("/v1/producers/{id}", id=id), body=body, if_match=if_match))

    def import_producers(self, body: dict[str, Any] | File, *, idempotency_key: str | None = None) -> t.ProducerImport:
        """Import producers from a table: `POST /v1/producers/import`."""
        return cast("t.ProducerImport", self._send("POST", "/v1/producers/import", body=body, idempotency_key=idempotency_key, has_key=True, timeout_s=510.0))

    def start_identity_inquiry(self, id: t.ProducerId, *, idempotency_key: str | None = None) -> t.IdentityInquiry:
        """Start an identity inquiry at the verifier: `POST /v1/producers/{id}/identity-inquiry`."""
        return cast("t.IdentityInquiry", self._send("POST", _path("/v1/producers/{id}/identity-inquiry", id=id), idempotency_key=idempotency_key, has_key=True))

    def list_appointments(self, id: t.ProducerId, *, limit: int | None = None, cursor: str | None = None, status: t.AppointmentStatus | None = None, state: t.State | None = None, line_of_business: t.LineOfBusiness | None = None) -> t.AppointmentPage:
        """List the appointments of a producer: `GET /v1/producers/{id}/appointments`."""
        return cast("t.AppointmentPage", self._send("GET", _path("/v1/producers/{id}/appointments", id=id), query={"limit": limit, "cursor": cursor, "status": status, "state": state, "lineOfBusiness": line_of_business}))

    def iterate_appointments(self, id: t.ProducerId, *, limit: int | None = None, status: t.AppointmentStatus | None = None, state: t.State | None = None, line_of_business: t.LineOfBusiness | None = None) -> Iterator[t.Appointment]:
        """Every row, page by page. List the appointments of a producer: `GET /v1/producers/{id}/appointments`."""
        return self._rows(_path("/v1/producers/{id}/appointments", id=id), {"limit": limit, "status": status, "state": state, "lineOfBusiness": line_of_business})

    def create_appointment(self, id: t.ProducerId, body: t.AppointmentCreate, *, idempotency_key: str | None = None) -> t.Appointment:
        """Record an appointment, or the application for one: `POST /v1/producers/{id}/appointments`."""
        return cast("t.Appointment", self._send("POST", _path("/v1/producers/{id}/appointments", id=id), body=body, idempotency_key=idempotency_key, has_key=True))

    def get_appointment(self, id: t.ProducerId, appt_id: t.AppointmentId) -> t.Appointment:
        """Read an appointment: `GET /v1/producers/{id}/appointments/{apptId}`."""
        return cast("t.Appointment", self._send("GET", _path("/v1/producers/{id}/appointments/{apptId}", id=id, apptId=appt_id)))

    def change_appointment(self, id: t.ProducerId, appt_id: t.AppointmentId, body: t.AppointmentChanges | None = None, *, if_match: str | None = None) -> t.Appointment:
        """Change the status or the dates of an appointment: `PATCH /v1/producers/{id}/appointments/{apptId}`."""
        return cast("t.Appointment", self._send("PATCH", _path("/v1/producers/{id}/appointments/{apptId}", id=id, apptId=appt_id), body=body, if_match=if_match))

    def list_producer_members(self, id: t.ProducerId, *, limit: int | None = None, cursor: str | None = None) -> t.ProducerMemberPage:
        """List the users who act for a producer: `GET /v1/producers/{id}/members`."""
        return cast("t.ProducerMemberPage", self._send("GET", _path("/v1/producers/{id}/members", id=id), query={"limit": limit, "cursor": cursor}))

    def iterate_producer_members(self, id: t.ProducerId, *, limit: int | None = None) -> Iterator[t.ProducerMember]:
        """Every row, page by page. List the users who act for a producer: `GET /v1/producers/{id}/members`."""
        return self._rows(_path("/v1/producers/{id}/members", id=id), {"limit": limit})

    def get_producer_member(self, id: t.ProducerId, user_id: t.UserSubject) -> t.ProducerMember:
        """Read a user who acts for a producer: `GET /v1/producers/{id}/members/{userId}`."""
        return cast("t.ProducerMember", self._send("GET", _path("/v1/producers/{id}/members/{userId}", id=id, userId=user_id)))

    def add_producer_member(self, id: t.ProducerId, user_id: t.UserSubject) -> t.ProducerMember:
        """Let a user act for a producer: `PUT /v1/producers/{id}/members/{userId}`."""
        return cast("t.ProducerMember", self._send("PUT", _path("/v1/producers/{id}/members/{userId}", id=id, userId=user_id)))

    def remove_producer_member(self, id: t.ProducerId, user_id: t.UserSubject) -> None:
        """Stop a user from acting for a producer: `DELETE /v1/producers/{id}/members/{userId}`."""
        self._send("DELETE", _path("/v1/producers/{id}/members/{userId}", id=id, userId=user_id))

    def list_producer_commission_terms(self, id: t.ProducerId, *, limit: int | None = None, cursor: str | None = None, as_of: t.BusinessDate | None = None) -> t.ProducerCommissionTermPage:
        """List a producer's agreed commissions, one for each line: `GET /v1/producers/{id}/commission-terms`."""
        return cast("t.ProducerCommissionTermPage", self._send("GET", _path("/v1/producers/{id}/commission-terms", id=id), query={"limit": limit, "cursor": cursor, "asOf": as_of}))

    def iterate_producer_commission_terms(self, id: t.ProducerId, *, limit: int | None = None, as_of: t.BusinessDate | None = None) -> Iterator[t.ProducerCommissionTerm]:
        """Every row, page by page. List a producer's agreed commissions, one for each line: `GET /v1/producers/{id}/commission-terms`."""
        return self._rows(_path("/v1/producers/{id}/commission-terms", id=id), {"limit": limit, "asOf": as_of})

    def put_producer_commission_term(self, id: t.ProducerId, body: t.ProducerCommissionTermWrite) -> t.ProducerCommissionTerm:
        """Set a producer's commission for a line: `PUT /v1/producers/{id}/commission-terms`."""
        return cast("t.ProducerCommissionTerm", self._send("PUT", _path("/v1/producers/{id}/commission-terms", id=id), body=body))

    def list_referrals(self, *, limit: int | None = None, cursor: str | None = None, status: t.ReferralStatus | None = None, submission_id: t.SubmissionId | None = None, policy_id: t.PolicyId | None = None, deal_room_id: t.DealRoomId | None = None, requested_by: t.UserSubject | None = None, decidable_by: Literal['me'] | None = None) -> t.ReferralPage:
        """List referrals: `GET /v1/referrals`."""
        return cast("t.ReferralPage", self._send("GET", "/v1/referrals", query={"limit": limit, "cursor": cursor, "status": status, "submissionId": submission_id, "policyId": policy_id, "dealRoomId": deal_room_id, "requestedBy": requested_by, "decidableBy": decidable_by}))

    def iterate_referrals(self, *, limit: int | None = None, status: t.ReferralStatus | None = None, submission_id: t.SubmissionId | None = None, policy_id: t.PolicyId | None = None, deal_room_id: t.DealRoomId | None = None, requested_by: t.UserSubject | None = None, decidable_by: Literal['me'] | None = None) -> Iterator[t.Referral]:
        """Every row, page by page. List referrals: `GET /v1/referrals`."""
        return self._rows("/v1/referrals", {"limit": limit, "status": status, "submissionId": submission_id, "policyId": policy_id, "dealRoomId": deal_room_id, "requestedBy": requested_by, "decidableBy": decidable_by})

    def create_referral(self, body: t.ReferralCreate, *, idempotency_key: str | None = None) -> t.ReferralDetail:
        """Refer a submission or a policy to somebody with more authority: `POST /v1/referrals`."""
        return cast("t.ReferralDetail", self._send("POST", "/v1/referrals", body=body, idempotency_key=idempotency_key, has_key=True))

    def get_referral(self, id: t.ReferralId) -> t.ReferralDetail:
        """Read a referral: its flags, its figures and who may decide on it: `GET /v1/referrals/{id}`."""
        return cast("t.ReferralDetail", self._send("GET", _path("/v1/referrals/{id}", id=id)))

    def decide_referral(self, id: t.ReferralId, body: t.ReferralDecision, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.ReferralDetail:
        """Approve or reject a referral, or request more information: `POST /v1/referrals/{id}/decision`."""
        return cast("t.ReferralDetail", self._send("POST", _path("/v1/referrals/{id}/decision", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def answer_referral(self, id: t.ReferralId, body: t.ReferralAnswer, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.ReferralDetail:
        """Answer the question on a referral: `POST /v1/referrals/{id}/answer`."""
        return cast("t.ReferralDetail", self._send("POST", _path("/v1/referrals/{id}/answer", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def create_delegation(self, body: t.DelegationCreate, *, idempotency_key: str | None = None) -> t.Delegation:
        """Name a deputy for a period: `POST /v1/delegations`."""
        return cast("t.Delegation", self._send("POST", "/v1/delegations", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_delegations(self, *, limit: int | None = None, cursor: str | None = None, from_user_id: t.UserSubject | None = None, to_user_id: t.UserSubject | None = None) -> t.DelegationPage:
        """List delegations, newest first: `GET /v1/delegations`."""
        return cast("t.DelegationPage", self._send("GET", "/v1/delegations", query={"limit": limit, "cursor": cursor, "fromUserId": from_user_id, "toUserId": to_user_id}))

    def iterate_delegations(self, *, limit: int | None = None, from_user_id: t.UserSubject | None = None, to_user_id: t.UserSubject | None = None) -> Iterator[t.Delegation]:
        """Every row, page by page. List delegations, newest first: `GET /v1/delegations`."""
        return self._rows("/v1/delegations", {"limit": limit, "fromUserId": from_user_id, "toUserId": to_user_id})

    def end_delegation(self, id: t.DelegationId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Delegation:
        """End a delegation before its last day: `POST /v1/delegations/{id}/end`."""
        return cast("t.Delegation", self._send("POST", _path("/v1/delegations/{id}/end", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def create_deal_room(self, body: t.DealRoomCreate, *, idempotency_key: str | None = None) -> t.DealRoom:
        """Open a deal room for a submission: `POST /v1/deal-rooms`."""
        return cast("t.DealRoom", self._send("POST", "/v1/deal-rooms", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_deal_rooms(self, *, limit: int | None = None, cursor: str | None = None, status: t.DealRoomStatus | None = None, submission_id: t.SubmissionId | None = None) -> t.DealRoomPage:
        """List deal rooms: `GET /v1/deal-rooms`."""
        return cast("t.DealRoomPage", self._send("GET", "/v1/deal-rooms", query={"limit": limit, "cursor": cursor, "status": status, "submissionId": submission_id}))

    def iterate_deal_rooms(self, *, limit: int | None = None, status: t.DealRoomStatus | None = None, submission_id: t.SubmissionId | None = None) -> Iterator[t.DealRoom]:
        """Every row, page by page. List deal rooms: `GET /v1/deal-rooms`."""
        return self._rows("/v1/deal-rooms", {"limit": limit, "status": status, "submissionId": submission_id})

    def get_deal_room(self, id: t.DealRoomId) -> t.DealRoomDetail:
        """Read a deal room: `GET /v1/deal-rooms/{id}`."""
        return cast("t.DealRoomDetail", self._send("GET", _path("/v1/deal-rooms/{id}", id=id)))

    def close_deal_room(self, id: t.DealRoomId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.DealRoom:
        """Close a deal room: `POST /v1/deal-rooms/{id}/close`."""
        return cast("t.DealRoom", self._send("POST", _path("/v1/deal-rooms/{id}/close", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def archive_deal_room(self, id: t.DealRoomId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.DealRoom:
        """Archive a closed deal room: `POST /v1/deal-rooms/{id}/archive`."""
        return cast("t.DealRoom", self._send("POST", _path("/v1/deal-rooms/{id}/archive", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def reopen_deal_room(self, id: t.DealRoomId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.DealRoom:
        """Reopen a closed deal room: `POST /v1/deal-rooms/{id}/reopen`."""
        return cast("t.DealRoom", self._send("POST", _path("/v1/deal-rooms/{id}/reopen", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def add_deal_room_participant(self, id: t.DealRoomId, body: t.DealRoomParticipantWrite, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.DealRoomParticipant:
        """Add a participant to a deal room: `POST /v1/deal-rooms/{id}/participants`."""
        return cast("t.DealRoomParticipant", self._send("POST", _path("/v1/deal-rooms/{id}/participants", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def change_deal_room_participant(self, id: t.DealRoomId, user_id: t.UserSubject, body: t.DealRoomParticipantChanges, *, if_match: str | None = None) -> t.DealRoomParticipant:
        """Change the role of a participant of a deal room: `PATCH /v1/deal-rooms/{id}/participants/{userId}`."""
        return cast("t.DealRoomParticipant", self._send("PATCH", _path("/v1/deal-rooms/{id}/participants/{userId}", id=id, userId=user_id), body=body, if_match=if_match))

    def remove_deal_room_participant(self, id: t.DealRoomId, user_id: t.UserSubject, *, if_match: str | None = None) -> None:
        """Remove a participant from a deal room: `DELETE /v1/deal-rooms/{id}/participants/{userId}`."""
        self._send("DELETE", _path("/v1/deal-rooms/{id}/participants/{userId}", id=id, userId=user_id), if_match=if_match)

    def list_deal_room_messages(self, id: t.DealRoomId, *, limit: int | None = None, cursor: str | None = None) -> t.DealRoomMessagePage:
        """List the messages of a deal room, newest first: `GET /v1/deal-rooms/{id}/messages`."""
        return cast("t.DealRoomMessagePage", self._send("GET", _path("/v1/deal-rooms/{id}/messages", id=id), query={"limit": limit, "cursor": cursor}))

    def iterate_deal_room_messages(self, id: t.DealRoomId, *, limit: int | None = None) -> Iterator[t.DealRoomMessage]:
        """Every row, page by page. List the messages of a deal room, newest first: `GET /v1/deal-rooms/{id}/messages`."""
        return self._rows(_path("/v1/deal-rooms/{id}/messages", id=id), {"limit": limit})

    def post_deal_room_message(self, id: t.DealRoomId, body: t.DealRoomMessageCreate, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.DealRoomMessage:
        """Post a message in a deal room: `POST /v1/deal-rooms/{id}/messages`."""
        return cast("t.DealRoomMessage", self._send("POST", _path("/v1/deal-rooms/{id}/messages", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def mark_deal_room_read(self, id: t.DealRoomId, body: t.DealRoomReadMarkerWrite, *, if_match: str | None = None) -> t.DealRoomReadMarker:
        """Record how far you have read in a deal room: `PUT /v1/deal-rooms/{id}/read-marker`."""
        return cast("t.DealRoomReadMarker", self._send("PUT", _path("/v1/deal-rooms/{id}/read-marker", id=id), body=body, if_match=if_match))

    def open_deal_room_socket(self, id: t.DealRoomId, *, after: t.MessageId | None = None, ticket: str | None = None) -> t.DealRoomSocket:
        """Open a WebSocket to a deal room, or get a signed address for one: `GET /v1/deal-rooms/{id}/ws`."""
        return cast("t.DealRoomSocket", self._send("GET", _path("/v1/deal-rooms/{id}/ws", id=id), query={"after": after, "ticket": ticket}))

    def create_da_contract(self, body: t.DaContractCreate, *, idempotency_key: str | None = None) -> t.DaContract:
        """Record a contract: `POST /v1/da-contracts`."""
        return cast("t.DaContract", self._send("POST", "/v1/da-contracts", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_da_contracts(self, *, limit: int | None = None, cursor: str | None = None, status: t.DaContractStatus | None = None) -> t.DaContractPage:
        """List contracts: `GET /v1/da-contracts`."""
        return cast("t.DaContractPage", self._send("GET", "/v1/da-contracts", query={"limit": limit, "cursor": cursor, "status": status}))

    def iterate_da_contracts(self, *, limit: int | None = None, status: t.DaContractStatus | None = None) -> Iterator[t.DaContract]:
        """Every row, page by page. List contracts: `GET /v1/da-contracts`."""
        return self._rows("/v1/da-contracts", {"limit": limit, "status": status})

    def get_da_contract(self, id: t.DaContractId) -> t.DaContract:
        """Read a contract: `GET /v1/da-contracts/{id}`."""
        return cast("t.DaContract", self._send("GET", _path("/v1/da-contracts/{id}", id=id)))

    def change_da_contract(self, id: t.DaContractId, body: t.DaContractChanges | None = None, *, if_match: str | None = None) -> t.DaContract:
        """Change a contract: `PATCH /v1/da-contracts/{id}`."""
        return cast("t.DaContract", self._send("PATCH", _path("/v1/da-contracts/{id}", id=id), body=body, if_match=if_match))

    def get_rate_table(self, line_of_business: t.LineOfBusiness, *, as_of: t.BusinessDate | None = None) -> t.RateTable:
        """Read the rate table in force for a line: `GET /v1/rate-tables/{lineOfBusiness}`."""
        return cast("t.RateTable", self._send("GET", _path("/v1/rate-tables/{lineOfBusiness}", lineOfBusiness=line_of_business), query={"asOf": as_of}))

    def put_rate_table(self, line_of_business: t.LineOfBusiness, body: t.RateTableWrite, *, if_match: str | None = None) -> t.RateTable:
        """Add a version of a line's rate table: `PUT /v1/rate-tables/{lineOfBusiness}`."""
        return cast("t.RateTable", self._send("PUT", _path("/v1/rate-tables/{lineOfBusiness}", lineOfBusiness=line_of_business), body=body, if_match=if_match))

    def list_commission_schedules(self, *, limit: int | None = None, cursor: str | None = None, line_of_business: t.LineOfBusiness | None = None, as_of: t.BusinessDate | None = None) -> t.CommissionSchedulePage:
        """List the schedules in force, one for each line: `GET /v1/commission-schedules`."""
        return cast("t.CommissionSchedulePage", self._send("GET", "/v1/commission-schedules", query={"limit": limit, "cursor": cursor, "lineOfBusiness": line_of_business, "asOf": as_of}))

    def iterate_commission_schedules(self, *, limit: int | None = None, line_of_business: t.LineOfBusiness | None = None, as_of: t.BusinessDate | None = None) -> Iterator[t.CommissionSchedule]:
        """Every row, page by page. List the schedules in force, one for each line: `GET /v1/commission-schedules`."""
        return self._rows("/v1/commission-schedules", {"limit": limit, "lineOfBusiness": line_of_business, "asOf": as_of})

    def put_commission_schedule(self, body: t.CommissionScheduleWrite) -> t.CommissionSchedule:
        """Add a version of a line's commission schedule: `PUT /v1/commission-schedules`."""
        return cast("t.CommissionSchedule", self._send("PUT", "/v1/commission-schedules", body=body))

    def read_portfolio(self, org_id: t.OrganizationReference, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None, group_by: t.AnalyticsGrouping | None = None) -> t.Portfolio:
        """Read premium, losses and counts of the portfolio: `GET /v1/analytics/{orgId}/portfolio`."""
        return cast("t.Portfolio", self._send("GET", _path("/v1/analytics/{orgId}/portfolio", orgId=org_id), query={"from": from_, "to": to, "groupBy": group_by}))

    def read_portfolio_csv(self, org_id: t.OrganizationReference, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None, group_by: t.AnalyticsGrouping | None = None) -> str:
        """As CSV. Read premium, losses and counts of the portfolio: `GET /v1/analytics/{orgId}/portfolio`."""
        return cast("str", self._send("GET", _path("/v1/analytics/{orgId}/portfolio", orgId=org_id), query={"from": from_, "to": to, "groupBy": group_by}, accept="text/csv"))

    def print_portfolio_report(self, org_id: t.OrganizationReference) -> bytes:
        """Print the portfolio on one page: `GET /v1/analytics/{orgId}/report`."""
        return cast("bytes", self._send("GET", _path("/v1/analytics/{orgId}/report", orgId=org_id)))

    def summarize_commissions(self, org_id: t.OrganizationReference, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None, period: t.AnalyticsPeriod | None = None) -> t.CommissionSummary:
        """Total commission by month or quarter: `GET /v1/analytics/{orgId}/commissions`."""
        return cast("t.CommissionSummary", self._send("GET", _path("/v1/analytics/{orgId}/commissions", orgId=org_id), query={"from": from_, "to": to, "period": period}))

    def summarize_commissions_csv(self, org_id: t.OrganizationReference, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None, period: t.AnalyticsPeriod | None = None) -> str:
        """As CSV. Total commission by month or quarter: `GET /v1/analytics/{orgId}/commissions`."""
        return cast("str", self._send("GET", _path("/v1/analytics/{orgId}/commissions", orgId=org_id), query={"from": from_, "to": to, "period": period}, accept="text/csv"))

    def read_da_utilization(self, org_id: t.OrganizationReference, *, year: int | None = None) -> t.DaUtilization:
        """Read how much of each delegated-authority contract is used: `GET /v1/analytics/{orgId}/da-utilization`."""
        return cast("t.DaUtilization", self._send("GET", _path("/v1/analytics/{orgId}/da-utilization", orgId=org_id), query={"year": year}))

    def read_da_utilization_csv(self, org_id: t.OrganizationReference, *, year: int | None = None) -> str:
        """As CSV. Read how much of each delegated-authority contract is used: `GET /v1/analytics/{orgId}/da-utilization`."""
        return cast("str", self._send("GET", _path("/v1/analytics/{orgId}/da-utilization", orgId=org_id), query={"year": year}, accept="text/csv"))

    def read_loss_triangle(self, org_id: t.OrganizationReference) -> t.LossTriangle:
        """Read how the losses of each accident year have developed: `GET /v1/analytics/{orgId}/loss-triangle`."""
        return cast("t.LossTriangle", self._send("GET", _path("/v1/analytics/{orgId}/loss-triangle", orgId=org_id)))

    def read_loss_triangle_csv(self, org_id: t.OrganizationReference) -> str:
        """As CSV. Read how the losses of each accident year have developed: `GET /v1/analytics/{orgId}/loss-triangle`."""
        return cast("str", self._send("GET", _path("/v1/analytics/{orgId}/loss-triangle", orgId=org_id), accept="text/csv"))

    def read_receivables(self, org_id: t.OrganizationReference) -> t.Receivables:
        """Read receivables by age: `GET /v1/analytics/{orgId}/receivables`."""
        return cast("t.Receivables", self._send("GET", _path("/v1/analytics/{orgId}/receivables", orgId=org_id)))

    def read_receivables_csv(self, org_id: t.OrganizationReference) -> str:
        """As CSV. Read receivables by age: `GET /v1/analytics/{orgId}/receivables`."""
        return cast("str", self._send("GET", _path("/v1/analytics/{orgId}/receivables", orgId=org_id), accept="text/csv"))

    def read_retention(self, org_id: t.OrganizationReference, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> t.Retention:
        """Read how many expiring terms were renewed: `GET /v1/analytics/{orgId}/retention`."""
        return cast("t.Retention", self._send("GET", _path("/v1/analytics/{orgId}/retention", orgId=org_id), query={"from": from_, "to": to}))

    def read_retention_csv(self, org_id: t.OrganizationReference, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> str:
        """As CSV. Read how many expiring terms were renewed: `GET /v1/analytics/{orgId}/retention`."""
        return cast("str", self._send("GET", _path("/v1/analytics/{orgId}/retention", orgId=org_id), query={"from": from_, "to": to}, accept="text/csv"))

    def create_bordereau(self, body: t.BordereauOrder, *, idempotency_key: str | None = None) -> t.Bordereau:
        """Report a month to a carrier: `POST /v1/bordereaux`."""
        return cast("t.Bordereau", self._send("POST", "/v1/bordereaux", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_bordereaux(self, *, limit: int | None = None, cursor: str | None = None, carrier: str | None = None, month: t.Month | None = None, kind: t.BordereauKind | None = None) -> t.BordereauPage:
        """List bordereaux, newest first: `GET /v1/bordereaux`."""
        return cast("t.BordereauPage", self._send("GET", "/v1/bordereaux", query={"limit": limit, "cursor": cursor, "carrier": carrier, "month": month, "kind": kind}))

    def iterate_bordereaux(self, *, limit: int | None = None, carrier: str | None = None, month: t.Month | None = None, kind: t.BordereauKind | None = None) -> Iterator[t.Bordereau]:
        """Every row, page by page. List bordereaux, newest first: `GET /v1/bordereaux`."""
        return self._rows("/v1/bordereaux", {"limit": limit, "carrier": carrier, "month": month, "kind": kind})

    def get_bordereau(self, id: t.BordereauId) -> t.Bordereau:
        """Read a bordereau, with fresh addresses to download it: `GET /v1/bordereaux/{id}`."""
        return cast("t.Bordereau", self._send("GET", _path("/v1/bordereaux/{id}", id=id)))

    def list_filings(self, *, limit: int | None = None, cursor: str | None = None, status: t.FilingStatus | None = None, kind: str | None = None, state: t.State | None = None, due_from: t.BusinessDate | None = None, due_to: t.BusinessDate | None = None, policy_id: t.PolicyId | None = None, producer_id: t.ProducerId | None = None, claim_id: t.ClaimId | None = None) -> t.FilingPage:
        """List filings, newest first: `GET /v1/compliance/filings`."""
        return cast("t.FilingPage", self._send("GET", "/v1/compliance/filings", query={"limit": limit, "cursor": cursor, "status": status, "kind": kind, "state": state, "dueFrom": due_from, "dueTo": due_to, "policyId": policy_id, "producerId": producer_id, "claimId": claim_id}))

    def iterate_filings(self, *, limit: int | None = None, status: t.FilingStatus | None = None, kind: str | None = None, state: t.State | None = None, due_from: t.BusinessDate | None = None, due_to: t.BusinessDate | None = None, policy_id: t.PolicyId | None = None, producer_id: t.ProducerId | None = None, claim_id: t.ClaimId | None = None) -> Iterator[t.Filing]:
        """Every row, page by page. List filings, newest first: `GET /v1/compliance/filings`."""
        return self._rows("/v1/compliance/filings", {"limit": limit, "status": status, "kind": kind, "state": state, "dueFrom": due_from, "dueTo": due_to, "policyId": policy_id, "producerId": producer_id, "claimId": claim_id})

    def get_filing(self, id: t.FilingId) -> t.Filing:
        """Read a filing: `GET /v1/compliance/filings/{id}`."""
        return cast("t.Filing", self._send("GET", _path("/v1/compliance/filings/{id}", id=id)))

    def mark_filed(self, id: t.FilingId, body: t.FilingChange, *, if_match: str | None = None) -> t.Filing:
        """Record that a filing was made, or correct its reference: `PATCH /v1/compliance/filings/{id}`."""
        return cast("t.Filing", self._send("PATCH", _path("/v1/compliance/filings/{id}", id=id), body=body, if_match=if_match))

    def get_calendar_feed(self) -> t.CalendarFeed:
        """Read the address of the organization's compliance calendar: `GET /v1/compliance/calendar-feed`."""
        return cast("t.CalendarFeed", self._send("GET", "/v1/compliance/calendar-feed"))

    def create_calendar_feed(self, *, idempotency_key: str | None = None) -> t.CalendarFeed:
        """Create or replace the address of the compliance calendar: `POST /v1/compliance/calendar-feed`."""
        return cast("t.CalendarFeed", self._send("POST", "/v1/compliance/calendar-feed", idempotency_key=idempotency_key, has_key=True))

    def remove_calendar_feed(self) -> None:
        """Revoke the address of the compliance calendar: `DELETE /v1/compliance/calendar-feed`."""
        self._send("DELETE", "/v1/compliance/calendar-feed")

    def read_calendar(self, token: str) -> bytes:
        """Read a compliance calendar by its address: `GET /v1/calendars/{token}`."""
        return cast("bytes", self._send("GET", _path("/v1/calendars/{token}", token=token)))

    def list_flags(self, *, limit: int | None = None, cursor: str | None = None) -> t.FlagPage:
        """List every flag of the platform with the organization's override, and the organization's own flags: `GET /v1/flags`."""
        return cast("t.FlagPage", self._send("GET", "/v1/flags", query={"limit": limit, "cursor": cursor}))

    def iterate_flags(self, *, limit: int | None = None) -> Iterator[t.Flag]:
        """Every row, page by page. List every flag of the platform with the organization's override, and the organization's own flags: `GET /v1/flags`."""
        return self._rows("/v1/flags", {"limit": limit})

    def put_flag(self, key: str, body: t.FlagWrite) -> t.Flag:
        """Set a flag for the organization: `PUT /v1/flags/{key}`."""
        return cast("t.Flag", self._send("PUT", _path("/v1/flags/{key}", key=key), body=body))

    def delete_flag(self, key: str) -> None:
        """Remove an override, so that the default applies: `DELETE /v1/flags/{key}`."""
        self._send("DELETE", _path("/v1/flags/{key}", key=key))

    def list_events(self, *, limit: int | None = None, cursor: str | None = None, type: Literal['policy.bound', 'policy.endorsed', 'policy.cancelled', 'policy.renewed', 'policy.reinstated', 'policy.cancellation_scheduled', 'policy.cancellation_withdrawn', 'policy.lapsed', 'policy.expired', 'policy.non_renewed', 'policy.audited', 'policy.payment_plan_changed', 'claim.filed', 'claim.reserved', 'claim.settled', 'claim.closed', 'payment.received', 'payment.failed', 'autopay.enabled', 'autopay.disabled', 'autopay.suspended', 'invoice.paid', 'refund.approval_requested', 'refund.approved', 'refund.rejected', 'disbursement.created', 'disbursement.issued', 'disbursement.cleared', 'disbursement.stopped', 'disbursement.cancelled', 'journal.posted', 'referral.reminder', 'referral.expired', 'da.limit_approaching', 'compliance.deadline_approaching', 'compliance.deadline_missed', 'financial.operation_failed', 'webhook.test', 'claim.opened'] | None = None, entity_id: t.PolicyOrPolicyTransactionOrSubmissionOrReferralOrInsuredOrClaimOrInvoiceOrPaymentOrRefundOrDisbursementOrJournalOrLedgerEntryOrDaContractOrFilingOrWebhookSubscriptionId | None = None, after: t.EventId | None = None) -> t.EventPage:
        """List events, newest first; with `after` oldest first: `GET /v1/events`."""
        return cast("t.EventPage", self._send("GET", "/v1/events", query={"limit": limit, "cursor": cursor, "type": type, "entityId": entity_id, "after": after}))

    def iterate_events(self, *, limit: int | None = None, type: Literal['policy.bound', 'policy.endorsed', 'policy.cancelled', 'policy.renewed', 'policy.reinstated', 'policy.cancellation_scheduled', 'policy.cancellation_withdrawn', 'policy.lapsed', 'policy.expired', 'policy.non_renewed', 'policy.audited', 'policy.payment_plan_changed', 'claim.filed', 'claim.reserved', 'claim.settled', 'claim.closed', 'payment.received', 'payment.failed', 'autopay.enabled', 'autopay.disabled', 'autopay.suspended', 'invoice.paid', 'refund.approval_requested', 'refund.approved', 'refund.rejected', 'disbursement.created', 'disbursement.issued', 'disbursement.cleared', 'disbursement.stopped', 'disbursement.cancelled', 'journal.posted', 'referral.reminder', 'referral.expired', 'da.limit_approaching', 'compliance.deadline_approaching', 'compliance.deadline_missed', 'financial.operation_failed', 'webhook.test', 'claim.opened'] | None = None, entity_id: t.PolicyOrPolicyTransactionOrSubmissionOrReferralOrInsuredOrClaimOrInvoiceOrPaymentOrRefundOrDisbursementOrJournalOrLedgerEntryOrDaContractOrFilingOrWebhookSubscriptionId | None = None, after: t.EventId | None = None) -> Iterator[t.Event]:
        """Every row, page by page. List events, newest first; with `after` oldest first: `GET /v1/events`."""
        return self._rows("/v1/events", {"limit": limit, "type": type, "entityId": entity_id, "after": after})

    def create_webhook(self, body: t.WebhookCreate, *, idempotency_key: str | None = None) -> t.CreatedWebhook:
        """Subscribe a URL to events: `POST /v1/webhooks`."""
        return cast("t.CreatedWebhook", self._send("POST", "/v1/webhooks", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_webhooks(self, *, limit: int | None = None, cursor: str | None = None, status: t.WebhookStatus | None = None) -> t.WebhookPage:
        """List webhooks, deleted ones too: `GET /v1/webhooks`."""
        return cast("t.WebhookPage", self._send("GET", "/v1/webhooks", query={"limit": limit, "cursor": cursor, "status": status}))

    def iterate_webhooks(self, *, limit: int | None = None, status: t.WebhookStatus | None = None) -> Iterator[t.Webhook]:
        """Every row, page by page. List webhooks, deleted ones too: `GET /v1/webhooks`."""
        return self._rows("/v1/webhooks", {"limit": limit, "status": status})

    def get_webhook(self, id: t.WebhookSubscriptionId) -> t.Webhook:
        """Read a webhook: `GET /v1/webhooks/{id}`."""
        return cast("t.Webhook", self._send("GET", _path("/v1/webhooks/{id}", id=id)))

    def change_webhook(self, id: t.WebhookSubscriptionId, body: t.WebhookChanges, *, if_match: str | None = None) -> t.Webhook:
        """Change the URL, the events or the description of a webhook: `PATCH /v1/webhooks/{id}`."""
        return cast("t.Webhook", self._send("PATCH", _path("/v1/webhooks/{id}", id=id), body=body, if_match=if_match))

    def delete_webhook(self, id: t.WebhookSubscriptionId, *, if_match: str | None = None) -> None:
        """Delete a webhook: `DELETE /v1/webhooks/{id}`."""
        self._send("DELETE", _path("/v1/webhooks/{id}", id=id), if_match=if_match)

    def pause_webhook(self, id: t.WebhookSubscriptionId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Webhook:
        """Pause a webhook: `POST /v1/webhooks/{id}/pause`."""
        return cast("t.Webhook", self._send("POST", _path("/v1/webhooks/{id}/pause", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def resume_webhook(self, id: t.WebhookSubscriptionId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.Webhook:
        """Resume a webhook: `POST /v1/webhooks/{id}/resume`."""
        return cast("t.Webhook", self._send("POST", _path("/v1/webhooks/{id}/resume", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def rotate_webhook_secret(self, id: t.WebhookSubscriptionId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.CreatedWebhook:
        """Replace the secret of a webhook: `POST /v1/webhooks/{id}/rotate-secret`."""
        return cast("t.CreatedWebhook", self._send("POST", _path("/v1/webhooks/{id}/rotate-secret", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def test_webhook(self, id: t.WebhookSubscriptionId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.WebhookTest:
        """Send a `webhook.test` event to a webhook: `POST /v1/webhooks/{id}/test`."""
        return cast("t.WebhookTest", self._send("POST", _path("/v1/webhooks/{id}/test", id=id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def list_webhook_deliveries(self, id: t.WebhookSubscriptionId, *, limit: int | None = None, cursor: str | None = None, status: t.WebhookDeliveryStatus | None = None, event_type: t.EventType | None = None, event_id: t.EventId | None = None, from_: t.SentInstant | None = None, to: t.SentInstant | None = None) -> t.WebhookDeliveryPage:
        """List the deliveries of a webhook, newest first: `GET /v1/webhooks/{id}/deliveries`."""
        return cast("t.WebhookDeliveryPage", self._send("GET", _path("/v1/webhooks/{id}/deliveries", id=id), query={"limit": limit, "cursor": cursor, "status": status, "eventType": event_type, "eventId": event_id, "from": from_, "to": to}))

    def iterate_webhook_deliveries(self, id: t.WebhookSubscriptionId, *, limit: int | None = None, status: t.WebhookDeliveryStatus | None = None, event_type: t.EventType | None = None, event_id: t.EventId | None = None, from_: t.SentInstant | None = None, to: t.SentInstant | None = None) -> Iterator[t.WebhookDelivery]:
        """Every row, page by page. List the deliveries of a webhook, newest first: `GET /v1/webhooks/{id}/deliveries`."""
        return self._rows(_path("/v1/webhooks/{id}/deliveries", id=id), {"limit": limit, "status": status, "eventType": event_type, "eventId": event_id, "from": from_, "to": to})

    def redeliver_webhook_delivery(self, id: t.WebhookSubscriptionId, delivery_id: t.WebhookDeliveryId, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.WebhookDelivery:
        """Deliver an event again: `POST /v1/webhooks/{id}/deliveries/{deliveryId}/redeliver`."""
        return cast("t.WebhookDelivery", self._send("POST", _path("/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver", id=id, deliveryId=delivery_id), idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def receive_stripe_event(self, body: dict[str, Any]) -> t.InboundReceipt:
        """Receive an event from the card processor: `POST /v1/webhooks/stripe`."""
        return cast("t.InboundReceipt", self._send("POST", "/v1/webhooks/stripe", body=body))

    def receive_card_processor_event(self, body: dict[str, Any]) -> t.InboundReceipt:
        """Receive an event from the card processor: `POST /v1/webhooks/card-processor`."""
        return cast("t.InboundReceipt", self._send("POST", "/v1/webhooks/card-processor", body=body))

    def receive_persona_event(self, body: dict[str, Any]) -> t.InboundReceipt:
        """Receive an event from the identity verifier: `POST /v1/webhooks/persona`."""
        return cast("t.InboundReceipt", self._send("POST", "/v1/webhooks/persona", body=body))

    def receive_identity_verifier_event(self, body: dict[str, Any]) -> t.InboundReceipt:
        """Receive an event from the identity verifier: `POST /v1/webhooks/identity-verifier`."""
        return cast("t.InboundReceipt", self._send("POST", "/v1/webhooks/identity-verifier", body=body))

    def receive_resend_event(self, body: dict[str, Any]) -> t.InboundReceipt:
        """Receive an event from the email provider: `POST /v1/webhooks/resend`."""
        return cast("t.InboundReceipt", self._send("POST", "/v1/webhooks/resend", body=body))

    def receive_email_provider_event(self, body: dict[str, Any]) -> t.InboundReceipt:
        """Receive an event from the email provider: `POST /v1/webhooks/email-provider`."""
        return cast("t.InboundReceipt", self._send("POST", "/v1/webhooks/email-provider", body=body))

    def receive_signing_event(self, body: dict[str, Any]) -> t.InboundReceipt:
        """Receive an event from the e-signature provider: `POST /v1/esign/webhook`."""
        return cast("t.InboundReceipt", self._send("POST", "/v1/esign/webhook", body=body))

    def get_portal_home(self) -> t.PortalHome:
        """Read the overview of the insured: `GET /v1/portal/home`."""
        return cast("t.PortalHome", self._send("GET", "/v1/portal/home"))

    def list_portal_policies(self, *, limit: int | None = None, cursor: str | None = None, status: t.PolicyStatus | None = None) -> t.PortalPolicyPage:
        """List the insured's policies: `GET /v1/portal/policies`."""
        return cast("t.PortalPolicyPage", self._send("GET", "/v1/portal/policies", query={"limit": limit, "cursor": cursor, "status": status}))

    def iterate_portal_policies(self, *, limit: int | None = None, status: t.PolicyStatus | None = None) -> Iterator[t.PortalPolicy]:
        """Every row, page by page. List the insured's policies: `GET /v1/portal/policies`."""
        return self._rows("/v1/portal/policies", {"limit": limit, "status": status})

    def get_portal_policy(self, id: t.PolicyId) -> t.PortalPolicy:
        """Read one of the insured's policies: `GET /v1/portal/policies/{id}`."""
        return cast("t.PortalPolicy", self._send("GET", _path("/v1/portal/policies/{id}", id=id)))

    def read_portal_statement(self, id: t.PolicyId, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> t.PolicyStatement:
        """Read the statement of account of one of the insured's policies: `GET /v1/portal/policies/{id}/statement`."""
        return cast("t.PolicyStatement", self._send("GET", _path("/v1/portal/policies/{id}/statement", id=id), query={"from": from_, "to": to}))

    def read_portal_statement_csv(self, id: t.PolicyId, *, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> str:
        """As CSV. Read the statement of account of one of the insured's policies: `GET /v1/portal/policies/{id}/statement`."""
        return cast("str", self._send("GET", _path("/v1/portal/policies/{id}/statement", id=id), query={"from": from_, "to": to}, accept="text/csv"))

    def list_portal_invoices(self, *, limit: int | None = None, cursor: str | None = None, status: t.InvoiceStatus | None = None, policy_id: t.PolicyId | None = None) -> t.PortalInvoicePage:
        """List the insured's invoices: `GET /v1/portal/invoices`."""
        return cast("t.PortalInvoicePage", self._send("GET", "/v1/portal/invoices", query={"limit": limit, "cursor": cursor, "status": status, "policyId": policy_id}))

    def iterate_portal_invoices(self, *, limit: int | None = None, status: t.InvoiceStatus | None = None, policy_id: t.PolicyId | None = None) -> Iterator[t.PortalInvoice]:
        """Every row, page by page. List the insured's invoices: `GET /v1/portal/invoices`."""
        return self._rows("/v1/portal/invoices", {"limit": limit, "status": status, "policyId": policy_id})

    def get_portal_invoice(self, id: t.InvoiceId) -> t.PortalInvoice:
        """Read one of the insured's invoices: `GET /v1/portal/invoices/{id}`."""
        return cast("t.PortalInvoice", self._send("GET", _path("/v1/portal/invoices/{id}", id=id)))

    def create_portal_payment_intent(self, id: t.InvoiceId, body: t.Collect | None = None, *, idempotency_key: str | None = None, if_match: str | None = None) -> t.PaymentIntent:
        """Start paying an invoice by card: `POST /v1/portal/invoices/{id}/payment-intent`."""
        return cast("t.PaymentIntent", self._send("POST", _path("/v1/portal/invoices/{id}/payment-intent", id=id), body=body, idempotency_key=idempotency_key, if_match=if_match, has_key=True))

    def get_portal_autopay(self) -> t.Autopay:
        """Read the insured's autopay: `GET /v1/portal/autopay`."""
        return cast("t.Autopay", self._send("GET", "/v1/portal/autopay"))

    def set_up_portal_autopay(self, body: t.AutopaySetupInput, *, idempotency_key: str | None = None) -> t.AutopaySetup:
        """Set up autopay: `POST /v1/portal/autopay`."""
        return cast("t.AutopaySetup", self._send("POST", "/v1/portal/autopay", body=body, idempotency_key=idempotency_key, has_key=True))

    def delete_portal_autopay(self) -> None:
        """Switch off autopay: `DELETE /v1/portal/autopay`."""
        self._send("DELETE", "/v1/portal/autopay")

    def list_portal_claims(self, *, limit: int | None = None, cursor: str | None = None, status: t.ClaimStatus | None = None, policy_id: t.PolicyId | None = None) -> t.PortalClaimPage:
        """List the insured's claims: `GET /v1/portal/claims`."""
        return cast("t.PortalClaimPage", self._send("GET", "/v1/portal/claims", query={"limit": limit, "cursor": cursor, "status": status, "policyId": policy_id}))

    def iterate_portal_claims(self, *, limit: int | None = None, status: t.ClaimStatus | None = None, policy_id: t.PolicyId | None = None) -> Iterator[t.PortalClaim]:
        """Every row, page by page. List the insured's claims: `GET /v1/portal/claims`."""
        return self._rows("/v1/portal/claims", {"limit": limit, "status": status, "policyId": policy_id})

    def file_portal_claim(self, body: t.PortalNotice, *, idempotency_key: str | None = None) -> t.PortalClaim:
        """Report a loss (first notice of loss): `POST /v1/portal/claims`."""
        return cast("t.PortalClaim", self._send("POST", "/v1/portal/claims", body=body, idempotency_key=idempotency_key, has_key=True))

    def get_portal_claim(self, id: t.ClaimId) -> t.PortalClaim:
        """Read the status of one of the insured's claims: `GET /v1/portal/claims/{id}`."""
        return cast("t.PortalClaim", self._send("GET", _path("/v1/portal/claims/{id}", id=id)))

    def list_portal_documents(self, *, limit: int | None = None, cursor: str | None = None, kind: Literal['declarations', 'endorsement', 'cancellation_notice', 'reinstatement_notice', 'non_renewal_notice', 'binder', 'certificate', 'mcs90', 'invoice', 'receipt'] | None = None) -> t.PortalDocumentPage:
        """List the documents of the insured's policies and invoices: `GET /v1/portal/documents`."""
        return cast("t.PortalDocumentPage", self._send("GET", "/v1/portal/documents", query={"limit": limit, "cursor": cursor, "kind": kind}))

    def iterate_portal_documents(self, *, limit: int | None = None, kind: Literal['declarations', 'endorsement', 'cancellation_notice', 'reinstatement_notice', 'non_renewal_notice', 'binder', 'certificate', 'mcs90', 'invoice', 'receipt'] | None = None) -> Iterator[t.PortalDocument]:
        """Every row, page by page. List the documents of the insured's policies and invoices: `GET /v1/portal/documents`."""
        return self._rows("/v1/portal/documents", {"limit": limit, "kind": kind})

    def download_portal_document(self, id: t.DocumentId) -> t.PortalDownload:
        """Get an address to download a document: `GET /v1/portal/documents/{id}/download`."""
        return cast("t.PortalDownload", self._send("GET", _path("/v1/portal/documents/{id}/download", id=id)))

    def download_portal_certificate(self, id: t.PolicyId) -> t.PortalDownload:
        """Get an address to download the insured's own certificate of insurance: `GET /v1/portal/policies/{id}/coi`."""
        return cast("t.PortalDownload", self._send("GET", _path("/v1/portal/policies/{id}/coi", id=id)))

    def download_portal_mcs90(self, id: t.PolicyId) -> t.PortalDownload:
        """Get an address to download the data sheet of the MCS-90 endorsement: `GET /v1/portal/policies/{id}/mcs90`."""
        return cast("t.PortalDownload", self._send("GET", _path("/v1/portal/policies/{id}/mcs90", id=id)))

    def download_portal_invoice(self, id: t.InvoiceId) -> t.PortalDownload:
        """Get an address to download an invoice as it stands: `GET /v1/portal/invoices/{id}/download`."""
        return cast("t.PortalDownload", self._send("GET", _path("/v1/portal/invoices/{id}/download", id=id)))

    def get_portal_profile(self) -> t.PortalProfile:
        """Read the insured's contact: `GET /v1/portal/profile`."""
        return cast("t.PortalProfile", self._send("GET", "/v1/portal/profile"))

    def change_portal_profile(self, body: t.PortalProfileChange | None = None) -> t.PortalProfile:
        """Change the insured's phone and address: `PUT /v1/portal/profile`."""
        return cast("t.PortalProfile", self._send("PUT", "/v1/portal/profile", body=body))

    def get_push_preferences(self) -> t.PushPreferences:
        """Read the insured's notification preferences: `GET /v1/portal/push-preferences`."""
        return cast("t.PushPreferences", self._send("GET", "/v1/portal/push-preferences"))

    def change_push_preferences(self, body: t.PushPreferencesChange | None = None, *, if_match: str | None = None) -> t.PushPreferences:
        """Change the insured's notification preferences: `PUT /v1/portal/push-preferences`."""
        return cast("t.PushPreferences", self._send("PUT", "/v1/portal/push-preferences", body=body, if_match=if_match))

    def register_push_token(self, body: t.PushTokenInput, *, idempotency_key: str | None = None) -> t.PushToken:
        """Register a device for notifications: `POST /v1/portal/push-tokens`."""
        return cast("t.PushToken", self._send("POST", "/v1/portal/push-tokens", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_audit(self, *, limit: int | None = None, cursor: str | None = None, actor: str | None = None, entity: str | None = None, request_id: t.RequestId | None = None, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> t.AuditEntryPage:
        """List the audit log, newest first: `GET /v1/audit`."""
        return cast("t.AuditEntryPage", self._send("GET", "/v1/audit", query={"limit": limit, "cursor": cursor, "actor": actor, "entity": entity, "requestId": request_id, "from": from_, "to": to}))

    def iterate_audit(self, *, limit: int | None = None, actor: str | None = None, entity: str | None = None, request_id: t.RequestId | None = None, from_: t.BusinessDate | None = None, to: t.BusinessDate | None = None) -> Iterator[t.AuditEntry]:
        """Every row, page by page. List the audit log, newest first: `GET /v1/audit`."""
        return self._rows("/v1/audit", {"limit": limit, "actor": actor, "entity": entity, "requestId": request_id, "from": from_, "to": to})

    def get_request(self, request_id: t.RequestId, *, before: t.SentInstant | None = None) -> t.Request:
        """Read a request and its response: `GET /v1/requests/{requestId}`."""
        return cast("t.Request", self._send("GET", _path("/v1/requests/{requestId}", requestId=request_id), query={"before": before}))

    def read_test_clock(self) -> t.TestClock:
        """Read the business date: `GET /v1/test-clock`."""
        return cast("t.TestClock", self._send("GET", "/v1/test-clock"))

    def advance_test_clock(self, body: t.AdvanceClock, *, idempotency_key: str | None = None) -> t.AdvancedClock:
        """Move the business date forward: `POST /v1/test-clock`."""
        return cast("t.AdvancedClock", self._send("POST", "/v1/test-clock", body=body, idempotency_key=idempotency_key, has_key=True, timeout_s=330.0))

    def create_api_key(self, body: t.ApiKeyCreate, *, idempotency_key: str | None = None) -> t.CreatedApiKey:
        """Create an API key: `POST /v1/api-keys`."""
        return cast("t.CreatedApiKey", self._send("POST", "/v1/api-keys", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_api_keys(self, *, limit: int | None = None, cursor: str | None = None) -> t.ApiKeyPage:
        """List API keys, revoked ones too: `GET /v1/api-keys`."""
        return cast("t.ApiKeyPage", self._send("GET", "/v1/api-keys", query={"limit": limit, "cursor": cursor}))

    def iterate_api_keys(self, *, limit: int | None = None) -> Iterator[t.ApiKey]:
        """Every row, page by page. List API keys, revoked ones too: `GET /v1/api-keys`."""
        return self._rows("/v1/api-keys", {"limit": limit})

    def revoke_api_key(self, id: t.ApiKeyId, *, if_match: str | None = None) -> None:
        """Revoke an API key: `DELETE /v1/api-keys/{id}`."""
        self._send("DELETE", _path("/v1/api-keys/{id}", id=id), if_match=if_match)

    def list_users(self, *, limit: int | None = None, cursor: str | None = None, role: t.UserRole | None = None, active: bool | None = None, status: t.UserStatus | None = None, q: str | None = None) -> t.UserPage:
        """List users: `GET /v1/users`."""
        return cast("t.UserPage", self._send("GET", "/v1/users", query={"limit": limit, "cursor": cursor, "role": role, "active": active, "status": status, "q": q}))

    def iterate_users(self, *, limit: int | None = None, role: t.UserRole | None = None, active: bool | None = None, status: t.UserStatus | None = None, q: str | None = None) -> Iterator[t.User]:
        """Every row, page by page. List users: `GET /v1/users`."""
        return self._rows("/v1/users", {"limit": limit, "role": role, "active": active, "status": status, "q": q})

    def invite_user(self, body: t.UserInvitation, *, idempotency_key: str | None = None) -> t.InvitedUser:
        """Invite a user: `POST /v1/users`."""
        return cast("t.InvitedUser", self._send("POST", "/v1/users", body=body, idempotency_key=idempotency_key, has_key=True))

    def change_user(self, id: t.UserId, body: t.UserChanges | None = None, *, if_match: str | None = None) -> t.ChangedUser:
        """Change a user's role, deactivate or reactivate them: `PATCH /v1/users/{id}`."""
        return cast("t.ChangedUser", self._send("PATCH", _path("/v1/users/{id}", id=id), body=body, if_match=if_match))

    def get_user_authority(self, id: t.UserId) -> t.UserAuthority:
        """Read a user's own authority: `GET /v1/users/{id}/authority`."""
        return cast("t.UserAuthority", self._send("GET", _path("/v1/users/{id}/authority", id=id)))

    def set_user_authority(self, id: t.UserId, body: t.UserAuthorityChanges | None = None, *, if_match: str | None = None) -> t.UserAuthority:
        """Set a user's own authority: `PUT /v1/users/{id}/authority`."""
        return cast("t.UserAuthority", self._send("PUT", _path("/v1/users/{id}/authority", id=id), body=body, if_match=if_match))

    def check_permission(self, body: t.PermissionCheck) -> t.PermissionDecision:
        """Check whether the caller may perform an action: `POST /v1/permissions/check`."""
        return cast("t.PermissionDecision", self._send("POST", "/v1/permissions/check", body=body))

    def create_organization(self, body: t.OrganizationCreate, *, idempotency_key: str | None = None) -> t.Organization:
        """Create a tenant that can quote immediately: `POST /v1/organizations`."""
        return cast("t.Organization", self._send("POST", "/v1/organizations", body=body, idempotency_key=idempotency_key, has_key=True))

    def list_organizations(self, *, limit: int | None = None, cursor: str | None = None) -> t.OrganizationPage:
        """List the tenants the caller may act in: `GET /v1/organizations`."""
        return cast("t.OrganizationPage", self._send("GET", "/v1/organizations", query={"limit": limit, "cursor": cursor}))

    def iterate_organizations(self, *, limit: int | None = None) -> Iterator[t.Organization]:
        """Every row, page by page. List the tenants the caller may act in: `GET /v1/organizations`."""
        return self._rows("/v1/organizations", {"limit": limit})

    def get_organization(self, id: t.OrganizationReference) -> t.Organization:
        """Read a tenant: `GET /v1/organizations/{id}`."""
        return cast("t.Organization", self._send("GET", _path("/v1/organizations/{id}", id=id)))

    def change_organization(self, id: t.OrganizationReference, body: t.OrganizationChanges | None = None, *, if_match: str | None = None) -> t.Organization:
        """Change a tenant: `PATCH /v1/organizations/{id}`."""
        return cast("t.Organization", self._send("PATCH", _path("/v1/organizations/{id}", id=id), body=body, if_match=if_match))

    def add_operator(self, id: t.OrganizationReference, user_id: t.UserSubject) -> t.Operator:
        """Let a platform operator act in a tenant: `PUT /v1/organizations/{id}/operators/{userId}`."""
        return cast("t.Operator", self._send("PUT", _path("/v1/organizations/{id}/operators/{userId}", id=id, userId=user_id)))

    def remove_operator(self, id: t.OrganizationReference, user_id: t.UserSubject) -> None:
        """Stop a platform operator from acting in a tenant: `DELETE /v1/organizations/{id}/operators/{userId}`."""
        self._send("DELETE", _path("/v1/organizations/{id}/operators/{userId}", id=id, userId=user_id))

    def decode_payloads(self, body: t.Payloads | None = None) -> t.RecodedPayloads:
        """Decrypt payloads of workflows, for the Temporal web interface and CLI: `POST /v1/temporal-codec/decode`."""
        return cast("t.RecodedPayloads", self._send("POST", "/v1/temporal-codec/decode", body=body))

    def encode_payloads(self, body: t.Payloads | None = None) -> t.RecodedPayloads:
        """Encrypt payloads for workflows, for the Temporal web interface and CLI: `POST /v1/temporal-codec/encode`."""
        return cast("t.RecodedPayloads", self._send("POST", "/v1/temporal-codec/encode", body=body))

    def exchange_session(self) -> t.SessionToken:
        """Exchange a session for an API token: `POST /auth/session-exchange`."""
        return cast("t.SessionToken", self._send("POST", "/auth/session-exchange"))

    def issue_demo_token(self, body: t.DemoTokenRequest) -> t.DemoToken:
        """Exchange the machine secret for a demo token: `POST /auth/demo`."""
        return cast("t.DemoToken", self._send("POST", "/auth/demo", body=body))

    def request_one_time_code(self, body: t.OneTimeCodeRequest) -> t.OneTimeCodeSent:
        """E-mail a one-time code to the address on file for a policy: `POST /auth/policyholder-otp-request`."""
        return cast("t.OneTimeCodeSent", self._send("POST", "/auth/policyholder-otp-request", body=body))

    def redeem_one_time_code(self, body: t.OneTimeCode) -> t.PolicyholderToken:
        """Exchange a one-time code for a policyholder token: `POST /auth/policyholder-token`."""
        return cast("t.PolicyholderToken", self._send("POST", "/auth/policyholder-token", body=body))

    def download(self, token: str) -> bytes:
        """Download a file by its address: `GET /v1/downloads/{token}`."""
        return cast("bytes", self._send("GET", _path("/v1/downloads/{token}", token=token)))

    def read_health(self) -> t.Health:
        """Check whether the process is alive: `GET /healthz`."""
        return cast("t.Health", self._send("GET", "/healthz"))

    def read_readiness(self) -> t.Readiness:
        """Check whether the process can serve requests: `GET /readyz`."""
        return cast("t.Readiness", self._send("GET", "/readyz"))

    def read_metrics(self) -> bytes:
        """Read the metrics for Prometheus: `GET /metrics`."""
        return cast("bytes", self._send("GET", "/metrics"))

    def read_front(self) -> Union[t.Front, bytes]:
        """Describe this service: `GET /`."""
        return cast("Union[t.Front, bytes]", self._send("GET", "/"))

    def read_api_front(self) -> Union[t.Front, bytes]:
        """List the addresses of the API: `GET /v1`."""
        return cast("Union[t.Front, bytes]", self._send("GET", "/v1"))

    def read_open_api(self) -> dict[str, Any]:
        """Get the OpenAPI 3.1 document: `GET /openapi.json`."""
        return cast("dict[str, Any]", self._send("GET", "/openapi.json"))

    def read_docs(self) -> bytes:
        """Browse this description: `GET /docs`."""
        return cast("bytes", self._send("GET", "/docs"))

    def read_docs_file(self, file: Literal['viewer.js', 'start.js']) -> bytes:
        """Read a file of the page at /docs: `GET /docs/files/{file}`."""
        return cast("bytes", self._send("GET", _path("/docs/files/{file}", file=file)))

    def list_guides(self) -> bytes:
        """Read the list of guides: `GET /docs/guides`."""
        return cast("bytes", self._send("GET", "/docs/guides"))

    def read_guide(self, guide: Literal['getting-started', 'authentication', 'money-and-idempotency', 'paging', 'errors', 'after-the-answer', 'test-clock', 'webhooks', 'deal-rooms', 'portal', 'changelog']) -> bytes:
        """Read a guide: `GET /docs/guides/{guide}`."""
        return cast("bytes", self._send("GET", _path("/docs/guides/{guide}", guide=guide)))
