"""Spreadsheets as rows of cells that know their place: CSV, XLSX and ODS."""
