"""Reviews of texts: what a reviewer is asked, what becomes of the answer, and what is kept of it.

A reviewer is a program that reads texts as people do, such as a script around a language model, or a person. A program
gets passages of the text with the rules that they may concern as JSON and answers with remarks. A remark counts if it
names words of a passage and a rule.
"""
