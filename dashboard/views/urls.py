"""The addresses of Mission Control."""

from django.urls import path

from dashboard.views import account, documents, facts, overview, recall

urlpatterns = [
    path("", overview.overview, name="overview"),
    path("sign-in/", account.sign_in, name="sign-in"),
    path("sign-in/<str:token>/", account.sign_in_link, name="sign-in-link"),
    path("sign-out/", account.sign_out, name="sign-out"),
    path("memories/", facts.fact_list, name="fact-list"),
    path("memories/new/", facts.fact_create, name="fact-create"),
    path("memories/<uuid:pk>/", facts.fact_detail, name="fact-detail"),
    path("memories/<uuid:pk>/edit/", facts.fact_edit, name="fact-edit"),
    path("memories/<uuid:pk>/forget/", facts.fact_forget, name="fact-forget"),
    path("memories/<uuid:pk>/restore/", facts.fact_restore, name="fact-restore"),
    path("memories/<uuid:pk>/undo/", facts.fact_undo, name="fact-undo"),
    path("documents/", documents.document_list, name="document-list"),
    path("documents/upload/", documents.document_upload, name="document-upload"),
    path("documents/<uuid:pk>/", documents.document_detail, name="document-detail"),
    path("documents/<uuid:pk>/file/", documents.document_file, name="document-file"),
    path("documents/<uuid:pk>/cancel/", documents.document_cancel, name="document-cancel"),
    path("documents/<uuid:pk>/retry/", documents.document_retry, name="document-retry"),
    path("documents/<uuid:pk>/delete/", documents.document_delete, name="document-delete"),
    path("recall/", recall.recall_page, name="recall"),
]
