"""The addresses of Mission Control."""

from django.urls import include, path

from dashboard.views import (
    bulk,
    check,
    conversations,
    documents,
    documents_web,
    exports,
    facts,
    jobs,
    overview,
    recall,
)

urlpatterns = [
    path("", overview.overview, name="overview"),
    path("", include("dashboard.views.account_urls")),
    path("memories/", facts.fact_list, name="fact-list"),
    path("memories/new/", facts.fact_create, name="fact-create"),
    path("memories/bulk/", bulk.fact_bulk, name="fact-bulk"),
    path("memories/bulk/<str:key>/undo/", bulk.fact_bulk_undo, name="fact-bulk-undo"),
    path("memories/export/", exports.fact_export, name="fact-export"),
    path("memories/<uuid:pk>/", facts.fact_detail, name="fact-detail"),
    path("memories/<uuid:pk>/edit/", facts.fact_edit, name="fact-edit"),
    path("memories/<uuid:pk>/forget/", facts.fact_forget, name="fact-forget"),
    path("memories/<uuid:pk>/restore/", facts.fact_restore, name="fact-restore"),
    path("memories/<uuid:pk>/undo/", facts.fact_undo, name="fact-undo"),
    path("conversations/", conversations.conversation_list, name="conversation-list"),
    path("conversations/new/", conversations.conversation_create, name="conversation-create"),
    path("conversations/<uuid:pk>/", conversations.conversation_detail, name="conversation-detail"),
    path(
        "conversations/<uuid:pk>/delete/",
        conversations.conversation_delete,
        name="conversation-delete",
    ),
    path("documents/", documents.document_list, name="document-list"),
    path("documents/upload/", documents.document_upload, name="document-upload"),
    path("documents/fetch/", documents_web.document_fetch, name="document-fetch"),
    path(
        "documents/batch/dismiss/",
        documents.document_batch_dismiss,
        name="document-batch-dismiss",
    ),
    path("documents/retry/", documents.document_retry_failed, name="document-retry-failed"),
    path("documents/<uuid:pk>/", documents.document_detail, name="document-detail"),
    path("documents/<uuid:pk>/file/", documents.document_file, name="document-file"),
    path("documents/<uuid:pk>/cancel/", documents.document_cancel, name="document-cancel"),
    path("documents/<uuid:pk>/retry/", documents.document_retry, name="document-retry"),
    path("documents/<uuid:pk>/delete/", documents.document_delete, name="document-delete"),
    path("counts/", overview.overview_recount, name="overview-recount"),
    path("jobs/", jobs.job_list, name="job-list"),
    path("jobs/runs/<uuid:pk>/", jobs.job_detail, name="job-detail"),
    path("jobs/<str:name>/run/", jobs.job_run, name="job-run"),
    path("check/", check.check, name="check"),
    path("recall/", recall.recall_page, name="recall"),
]
